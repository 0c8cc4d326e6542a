/** What a bearer token is made of: `b64token` (RFC 6750 §2.1), as part of a pattern. */
export const bearerToken = "[A-Za-z0-9._~+/-]+=*";

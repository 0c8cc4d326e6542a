/** The request was not sent, because it must not be: the URL or the address behind it is not to be called. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
  readonly mayRetry = false;
}

/** No complete answer came in time. */
export class RequestTimedOut extends Error {
  override name = "RequestTimedOut";
  readonly mayRetry = true;
}

/** The connection could not be made, or broke, or what came over it was not HTTP. */
export class RequestFailed extends Error {
  override name = "RequestFailed";
  readonly mayRetry = true;
}

export type OutboundError = AddressRefused | RequestTimedOut | RequestFailed;

export function isOutboundError(error: unknown): error is OutboundError {
  return (
    error instanceof AddressRefused || error instanceof RequestTimedOut || error instanceof RequestFailed
  );
}

/** Codes of Node, OpenSSL and undici, in words that follow the origin. */
const explanations: Record<string, string> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "broke the connection before it answered",
  EPIPE: "broke the connection before it answered",
  UND_ERR_SOCKET: "broke the connection before it answered",
  ENOTFOUND: "has a host name that does not exist",
  EAI_AGAIN: "has a host name that could not be looked up just now",
  EHOSTUNREACH: "is on a host that cannot be reached",
  ENETUNREACH: "is on a network that cannot be reached",
  ETIMEDOUT: "did not accept the connection",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  CERT_NOT_YET_VALID: "has a certificate that is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "has a certificate of an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "has a certificate of an authority that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has an incomplete certificate chain",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: "does not speak TLS",
  UND_ERR_HEADERS_OVERFLOW: "answered with too many header bytes",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "sent a body of another length than it announced",
};

/** What went wrong on the way to `origin`, as one of our errors. */
export function outboundErrorOf(error: Error, origin: string): OutboundError {
  if (isOutboundError(error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return new RequestTimedOut(`${origin} did not accept the connection in time`, { cause: error });
  }
  const malformed = error.name === "HTTPParserError" ? "answered with something that is not HTTP" : undefined;
  const explained = explanations[code] ?? malformed ?? `could not be called: ${error.message}`;
  return new RequestFailed(`${origin} ${explained}${code === "" ? "" : ` (${code})`}`, { cause: error });
}

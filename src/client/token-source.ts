/** A token, or what gets one when it is needed: tokens of an identity provider end after minutes. */
export type TokenSource = string | (() => string | Promise<string>);

/** The header for a request now; none without a token. */
export async function authorizationOf(source: TokenSource | undefined): Promise<Record<string, string>> {
  if (source === undefined) return {};
  const token = typeof source === "string" ? source : await source();
  return { authorization: `Bearer ${token}` };
}

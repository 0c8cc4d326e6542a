import { bearerToken } from "./bearer-token.ts";

/** The WebSocket subprotocol whose frames are `LiveMessage`s in JSON. */
export const liveSubprotocol = "resourcesync-hub.v1+json";

/**
 * The frames that a client gets that names no subprotocol. It has a name because some browsers end a connection on which
 * they offered protocols and the server chose none.
 */
export const plainSubprotocol = "resourcesync-hub.v1+xml";

const tokenPrefix = "resourcesync-hub.bearer.";
const wholeToken = new RegExp(`^${bearerToken}$`);

/**
 * A bearer token as one more subprotocol: the only place where a script in a browser can put it that no log of URLs shows.
 * In base64url, since a token may have characters that the name of a subprotocol may not (RFC 6455 §4.1).
 */
export function tokenOfSubprotocols(header: string | undefined): string | undefined {
  const offered = (header ?? "").split(",").map((name) => name.trim());
  const carrier = offered.find((name) => name.startsWith(tokenPrefix));
  const token = Buffer.from(carrier?.slice(tokenPrefix.length) ?? "", "base64url").toString("latin1");
  return wholeToken.test(token) ? token : undefined;
}

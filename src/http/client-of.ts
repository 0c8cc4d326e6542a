import type { IncomingMessage } from "node:http";
import { clientAddress, type TrustedProxies } from "../security/client-address.ts";

/** Who sends a request: an address, for limits and logs. */
export type ClientOf = (request: IncomingMessage) => string;

/** `trusted`: which proxies are believed in what they say of the client. */
export function createClientOf(trusted: TrustedProxies): ClientOf {
  const addressOf = clientAddress(trusted);
  return ({ socket, headersDistinct }) =>
    addressOf(socket.remoteAddress, headersDistinct["x-forwarded-for"]?.join(","));
}

import {
  createServer as createPlainServer,
  type RequestListener,
  type Server as PlainServer,
} from "node:http";
import { createServer, Server as SecureServer } from "node:https";
import type { Server } from "node:net";
import { closeInTurn } from "./pipelined-answers.ts";
import { requestTimes } from "./request-times.ts";
import type { TlsFiles } from "./tls-files.ts";

export type HubServer = PlainServer | SecureServer;

/** Milliseconds for a client to agree on TLS. */
const handshakeTimeout = 15_000;

/** A server that speaks HTTP, over TLS where it has a certificate. Requests must arrive in time (RFC 9110 §15.5.9). */
export function createHttpServer(tls: TlsFiles | undefined, onRequest: RequestListener): HubServer {
  const answer: RequestListener = (request, response) => {
    closeInTurn(request, response);
    onRequest(request, response);
  };
  const server =
    tls === undefined
      ? createPlainServer(requestTimes, answer)
      : createServer({ ...requestTimes, ...tls, handshakeTimeout }, answer);
  // Node would keep a thousand and drop the others without a word, but obey them; their bytes are bounded (16 KiB).
  server.maxHeadersCount = 0;
  return server;
}

export function isSecure(server: Server): server is SecureServer {
  return server instanceof SecureServer;
}

/** Of a connection on which HTTP can be spoken: with TLS it comes after the handshake, and with another socket. */
export function connectionEvent(server: HubServer): "connection" | "secureConnection" {
  return isSecure(server) ? "secureConnection" : "connection";
}

/** From now on, new connections are shown this certificate. */
export function renewCertificate(server: HubServer, tls: TlsFiles): void {
  if (isSecure(server)) server.setSecureContext(tls);
}

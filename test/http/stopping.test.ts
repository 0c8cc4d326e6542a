import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { stoppable } from "../../src/http/listening.ts";
import { createHttpServer } from "../../src/http/secure-server.ts";
import { readTlsFiles } from "../../src/http/tls-files.ts";
import { listenOnLoopback } from "../live/listen-on-loopback.ts";
import { writeCertificate } from "../support/certificate.ts";
import { rawConnection, requestText } from "../support/raw-request.ts";

/** Longer than a test may take: what ends, ends for another reason. */
const never = (): AbortSignal => new AbortController().signal;

async function startSecureServer() {
  const directory = await mkdtemp(join(tmpdir(), "hub-stop-"));
  const { ca, ...files } = writeCertificate(directory);
  const tls = await readTlsFiles({ ...files, min: "1.2" });
  await rm(directory, { recursive: true });
  const server = createHttpServer(tls, (_request, response) => response.end("answered"));
  const stop = stoppable(server);
  return { server, stop, ca, port: Number(new URL(await listenOnLoopback(server)).port) };
}

test.each([
  ["never begin", ""],
  ["never finish", "\u0016\u0003\u0001"],
])("connections that %s the handshake of TLS do not hold up a stop", async (_what, sent) => {
  const { stop, server, port } = await startSecureServer();
  const arrived = once(server, "connection");
  const socket = await rawConnection(port);
  socket.resume().write(sent, "latin1");
  await arrived;
  // `once` of node:events would reject at a reset.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await stop(never());
  await closed;
});

test("a stop ends TLS connections that were never asked over, and leaves one whose request is on its way", async () => {
  const { stop, server, port, ca } = await startSecureServer();
  const spare = connect({ host: "127.0.0.1", port, ca });
  const asking = connect({ host: "127.0.0.1", port, ca });
  for (const socket of [spare, asking]) socket.on("error", () => {});
  await Promise.all([once(spare, "secureConnect"), once(asking, "secureConnect")]);
  const request = once(server, "request");
  asking.write(requestText("POST /", ["Content-Length: 2"], "a"));
  await request;
  let answer = "";
  asking.on("data", (data: Buffer) => (answer += data.toString()));
  const ended = Promise.all([once(spare, "close"), once(asking, "close")]);
  const stopped = stop(never());
  asking.write("b");
  await Promise.all([stopped, ended]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
});

test("at the deadline every connection is ended, also one that left HTTP and that nobody answered", async () => {
  const server = createServer();
  const stop = stoppable(server);
  server.on("upgrade", () => {});
  const { port } = new URL(await listenOnLoopback(server));
  const socket = await rawConnection(Number(port));
  const upgraded = once(server, "upgrade");
  socket.resume().write(requestText("GET /", ["Connection: Upgrade", "Upgrade: websocket"]));
  await upgraded;
  const deadline = new AbortController();
  const stopped = stop(deadline.signal);
  deadline.abort();
  await stopped;
});

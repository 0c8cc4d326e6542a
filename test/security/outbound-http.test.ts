import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { expect, test } from "vitest";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { AddressRefused, RequestFailed, RequestTimedOut } from "../../src/security/outbound-errors.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { waitUntil } from "../support/wait-until.ts";

const local = ["127.0.0.1"];
const get = { method: "GET", headers: {}, timeout: 5000, maxBytes: 1000 } as const;

function openOutbound(allow = local, resolve?: Parameters<typeof createOutboundHttp>[0]["resolve"]) {
  const refusals: { origin: string; reason: string }[] = [];
  const events = { outboundRefused: (at: { origin: string; reason: string }) => void refusals.push(at) };
  const options = { allow, events, userAgent: "hub/test" };
  const outbound = createOutboundHttp(resolve === undefined ? options : { ...options, resolve });
  return { ...outbound, refusals, [Symbol.asyncDispose]: () => outbound.close() };
}

/** A server that speaks no HTTP of its own accord. */
async function startRawServer(
  onConnection: (socket: Socket) => void,
  server: Server = createServer(onConnection),
) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    // Without reading, a socket never sees that the other side went away.
    if (server.listenerCount("secureConnection") === 0) socket.resume();
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("method, headers and body arrive as given, and the answer comes back whole", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound();
  callback.answerDeliveries({ status: 202, headers: { "X-A": "1", "Set-Cookie": "a=b" }, body: "thanks" });
  const body = Buffer.from([0, 1, 254, 255]);
  const headers = { "Content-Type": "application/xml" };
  const answer = await outbound.request({ ...get, method: "POST", url: callback.url(), headers, body });
  expect(answer).toMatchObject({
    status: 202,
    truncated: false,
    headers: { "x-a": "1", "set-cookie": "a=b" },
  });
  expect(answer.body.toString()).toBe("thanks");
  expect(callback.deliveries[0]?.body.equals(body)).toBe(true);
  expect(callback.deliveries[0]?.headers).toMatchObject({
    "content-type": "application/xml",
    "content-length": "4",
    "user-agent": "hub/test",
  });
});

test("H75: path and query are sent byte for byte", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound();
  for (const target of ["/a/../b/./%7e?a=%7E&b='x'&c=|\"<>{}`^", "/?", "//double//", "/a;b=c?d=e?f"]) {
    await outbound.request({ ...get, url: `${callback.origin}${target}` });
    expect(callback.verifications.at(-1)?.target).toBe(target);
  }
  await outbound.request({ ...get, url: `${callback.origin}?c=ä#fragment` });
  expect(callback.verifications.at(-1)?.target).toBe("/?c=%C3%A4");
});

test.each([301, 302, 303, 307, 308])(
  "H70: a %i is an answer; where it points is never called",
  async (status) => {
    await using elsewhere = await startCallbackServer();
    await using callback = await startCallbackServer();
    await using outbound = openOutbound();
    callback.answerVerifications({ status, headers: { Location: elsewhere.url() } });
    const answer = await outbound.request({ ...get, url: callback.url() });
    expect(answer.status).toBe(status);
    expect(elsewhere.verifications).toHaveLength(0);
  },
);

test("H71: of a long body only the first bytes are read, and the connection is given up", async () => {
  await using outbound = openOutbound();
  let written = 0;
  await using server = await startRawServer((socket) => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const pump = (): void => {
      do written += chunk.length;
      while (socket.writable && socket.write(chunk));
    };
    socket.on("drain", pump);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      pump();
    });
  });
  const answer = await outbound.request({ ...get, url: `http://127.0.0.1:${server.port}/`, maxBytes: 1024 });
  expect(answer.truncated).toBe(true);
  expect(answer.body.toString()).toBe("x".repeat(1024));
  await expect.poll(() => server.sockets.size).toBe(0);
  expect(written).toBeLessThan(50_000_000);
});

test("a body of exactly the limit is not cut", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound();
  callback.answerVerifications({ body: "x".repeat(10) });
  const request = { ...get, url: callback.url() };
  expect(await outbound.request({ ...request, maxBytes: 10 })).toMatchObject({ truncated: false });
  expect(await outbound.request({ ...request, maxBytes: 9 })).toMatchObject({ truncated: true });
});

test("a server that sends endless headers is given up", async () => {
  await using outbound = openOutbound();
  await using server = await startRawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${`X-Header: ${"x".repeat(1000)}\r\n`.repeat(40)}`);
  });
  const request = outbound.request({ ...get, url: `http://127.0.0.1:${server.port}/` });
  await expect(request).rejects.toThrow("too many header bytes");
});

test.each([
  ["the connection is accepted and nothing follows", (_socket: Socket) => {}],
  ["the headers never end", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\nX-A: 1\r\n")],
  [
    "the body trickles",
    (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      const pump = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(pump));
    },
  ],
])("the time limit holds where %s", async (_what, onConnection) => {
  await using outbound = openOutbound();
  await using server = await startRawServer(onConnection);
  const request = outbound.request({ ...get, url: `http://127.0.0.1:${server.port}/`, timeout: 300 });
  await expect(request).rejects.toThrow(RequestTimedOut);
  await expect(request).rejects.toThrow(`http://127.0.0.1:${server.port} did not answer within 0.3 s`);
  await expect.poll(() => server.sockets.size).toBe(0);
});

test("the time limit holds for the TLS handshake and for the look-up of the name", async () => {
  await using outbound = openOutbound(local, () => new Promise(() => {}));
  await using server = await startRawServer(() => {});
  const tls = outbound.request({ ...get, url: `https://127.0.0.1:${server.port}/`, timeout: 300 });
  await expect(tls).rejects.toMatchObject({ name: "RequestTimedOut", mayRetry: true });
  const name = outbound.request({ ...get, url: `http://silent.example:${server.port}/`, timeout: 300 });
  await expect(name).rejects.toThrow("http://silent.example");
  for (const socket of server.sockets) socket.destroy();
});

test("a request that timed out while it waited for a connection is not sent after all", async () => {
  await using callback = await startCallbackServer();
  let found: (addresses: { address: string; family: number }[]) => void = () => {};
  const resolve = () =>
    new Promise<{ address: string; family: number }[]>((resolve) => void (found = resolve));
  await using outbound = openOutbound(local, resolve);
  const url = callback.url().replace("127.0.0.1", "late.example");
  await expect(outbound.request({ ...get, url, timeout: 50 })).rejects.toThrow(RequestTimedOut);
  const second = outbound.request({ ...get, url: `${url}?second` });
  found([{ address: "127.0.0.1", family: 4 }]);
  await second;
  expect(callback.verifications.map(({ target }) => target)).toEqual(["/callback?second"]);
});

test("a signal calls a request off, before it and during it", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound();
  callback.answerVerifications({ hang: true });
  const controller = new AbortController();
  const running = outbound.request({ ...get, url: callback.url(), signal: controller.signal });
  await expect.poll(() => callback.verifications.length).toBe(1);
  controller.abort();
  await expect(running).rejects.toThrow("called off");
  const later = outbound.request({ ...get, url: callback.url(), signal: controller.signal });
  await expect(later).rejects.toThrow(RequestFailed);
  expect(callback.verifications).toHaveLength(1);
});

test("failures say in words what is wrong, and that trying again can help", async () => {
  const noSuchName = () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
  await using outbound = openOutbound(local, noSuchName);
  await using babbler = await startRawServer((socket) => void socket.end("220 smtp ready\r\n"));
  await using silent = await startRawServer((socket) => void socket.once("data", () => socket.destroy()));
  const closed = await freePort();
  const failures: [url: string, text: string][] = [
    [`http://127.0.0.1:${closed}/secret`, `http://127.0.0.1:${closed} refused the connection (ECONNREFUSED)`],
    ["http://nowhere.example/secret", "http://nowhere.example has a host name that does not exist"],
    [`http://127.0.0.1:${babbler.port}/`, "answered with something that is not HTTP"],
    [`http://127.0.0.1:${silent.port}/`, "broke the connection before it answered"],
    [`https://127.0.0.1:${babbler.port}/`, "does not speak TLS"],
  ];
  for (const [url, text] of failures) {
    const request = outbound.request({ ...get, url });
    await expect(request).rejects.toThrow(text);
    await expect(request).rejects.toMatchObject({ name: "RequestFailed", mayRetry: true });
    await expect(request).rejects.not.toThrow("secret");
  }
});

test("H75: a certificate that nobody vouches for is refused: https means https", async () => {
  await using outbound = openOutbound();
  const server = createTlsServer({ key: selfSigned.key, cert: selfSigned.certificate });
  await using tls = await startRawServer(
    (socket) => void socket.end("HTTP/1.1 204 No Content\r\n\r\n"),
    server,
  );
  const request = outbound.request({ ...get, url: `https://127.0.0.1:${tls.port}/` });
  await expect(request).rejects.toThrow("has a self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)");
});

test("requests to one origin use its connections again", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound();
  for (let i = 0; i < 20; i += 1) await outbound.request({ ...get, method: "POST", url: callback.url() });
  // Two, not one: undici frees a connection a moment after it has handed over the answer.
  expect(new Set(callback.deliveries.map(({ fromPort }) => fromPort)).size).toBeLessThanOrEqual(2);
});

test("an origin never holds more than 64 sockets", async () => {
  let open = 0;
  let most = 0;
  const server = createHttpServer((_request, response) => setTimeout(() => response.end(), 20));
  server.on("connection", (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.on("close", () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const outbound = openOutbound();
  const url = `http://127.0.0.1:${address.port}/`;
  await Promise.all(Array.from({ length: 200 }, () => outbound.request({ ...get, url })));
  await outbound.close();
  await new Promise((resolve) => server.close(resolve));
  expect(most).toBe(64);
});

test("closing waits for what runs and refuses what comes", async () => {
  await using callback = await startCallbackServer();
  const outbound = openOutbound();
  callback.answerVerifications({ delay: 100, body: "late" });
  const running = outbound.request({ ...get, url: callback.url() });
  await expect.poll(() => callback.verifications.length).toBe(1);
  const closing = outbound.close();
  await expect(outbound.request({ ...get, url: callback.url() })).rejects.toThrow("the hub is stopping");
  expect((await running).body.toString()).toBe("late");
  await closing;
});

test("what is refused is told as an event, by origin and reason, and never again by trying", async () => {
  await using outbound = openOutbound([]);
  const request = outbound.request({ ...get, url: "http://10.0.0.1/secret?key=1" });
  await expect(request).rejects.toThrow(AddressRefused);
  await expect(request).rejects.toMatchObject({ mayRetry: false });
  expect(outbound.refusals).toEqual([
    {
      origin: "http://10.0.0.1",
      reason:
        "http://10.0.0.1 may not be called: 10.0.0.1 is a private address (RFC 1918); to allow it, list it or its network in outbound.allow",
    },
  ]);
});

/** For 127.0.0.1, made for this test, valid until 2126. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQge1jaGmBIUjWHNztE
tdgRUgSj8AAMIYxwZncZfv7QEnmhRANCAAT8FESvXKYraPRbcDecCCFH2XvFSneo
xeRAyN0Ha9QkplpHb//SwqezAUyTDD7rZ5fpyh0U9Aq2sguhpP8TUPnf
-----END PRIVATE KEY-----`,
  certificate: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUdkXeeM+is4IY2ToRcZX/V6Ks8YYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTAxMjczM1oYDzIxMjYxMDI4
MDEyNzMzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT8FESvXKYraPRbcDecCCFH2XvFSneoxeRAyN0Ha9QkplpHb//Swqez
AUyTDD7rZ5fpyh0U9Aq2sguhpP8TUPnfo2QwYjAdBgNVHQ4EFgQU1XlyIsMEg/cF
kzP0V01ujO3+CX4wHwYDVR0jBBgwFoAU1XlyIsMEg/cFkzP0V01ujO3+CX4wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IEKCqMRKb0m4kfyBmVH26WlW00+1KPPvg20wi0S6Ui8PAiEAxESxBbGXMh9qEjiH
LNx2q1WjNvs3WVh2bzCijeLsZg0=
-----END CERTIFICATE-----`,
};

test("many requests at the same time can be called off by one signal, and Node does not take that for a leak", async () => {
  await using server = await startCallbackServer();
  await using outbound = openOutbound();
  server.answerDeliveries({ hang: true });
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", note);
  const calledOff = new AbortController();
  const request = { ...get, method: "POST", url: server.url(), signal: calledOff.signal } as const;
  const requests = Array.from({ length: 40 }, () => outbound.request(request));
  await waitUntil(() => expect(server.deliveries).toHaveLength(40));
  calledOff.abort();
  for (const { status } of await Promise.allSettled(requests)) expect(status).toBe("rejected");
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

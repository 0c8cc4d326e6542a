import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectSecurely } from "node:tls";
import { expect, test } from "vitest";
import { createAdmission } from "../../src/http/admission.ts";
import { requestTimes } from "../../src/http/request-times.ts";
import { createHttpServer } from "../../src/http/secure-server.ts";
import { readTlsFiles, type TlsFiles } from "../../src/http/tls-files.ts";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { writeCertificate } from "../support/certificate.ts";
import { changeNotification } from "../support/documents.ts";
import { rawConnection, rawRequest, statusesOf } from "../support/raw-request.ts";
import { publisherToken, startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

type Parts = Parameters<typeof createAdmission>[0];

/** A server behind these limits, to which clients of this machine count as any others. */
async function startLimited(
  limits: Partial<Parts["limits"]>,
  more: Partial<Pick<Parts, "clientOf" | "isProxy" | "isExempt" | "now">> & { hang?: boolean } = {},
  tls?: TlsFiles,
) {
  const held: string[] = [];
  const { hang = false, ...parts } = more;
  const admission = createAdmission({
    limits: { connections: 1000, connectionsPerAddress: 1000, requestsPerMinute: 1_000_000, ...limits },
    clientOf: ({ socket }) => socket.remoteAddress ?? "",
    isProxy: () => false,
    isExempt: () => false,
    events: { limited: ({ limit }) => void held.push(limit) },
    now: Date.now,
    ...parts,
  });
  let served = 0;
  const server = createHttpServer(tls, (request, response) => {
    if (admission.turnsAway(request, response)) return;
    if (!admission.admits(request, response)) return;
    served += 1;
    if (!hang) response.end("served");
  });
  server.on("upgrade", (request, socket) => {
    if (admission.admitsUpgrade(request, socket)) socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });
  admission.watch(server);
  const url = await listenOnLoopback(server);
  return {
    url,
    port: Number(new URL(url).port),
    held,
    server,
    served: () => served,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

const get = "GET / HTTP/1.1\r\nHost: hub\r\n\r\n";

test("one address has so many requests a minute; then 429 says when to come back, and it is so", async () => {
  let time = 0;
  await using hub = await startLimited({ requestsPerMinute: 5 }, { now: () => time });
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await fetch(hub.url)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  const refused = await fetch(hub.url);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(await refused.text()).toContain("limits.requestsPerMinute");
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBe(12);
  time += wait * 1000;
  expect((await fetch(hub.url)).status).toBe(200);
  expect(hub.served()).toBe(6);
  expect(new Set(hub.held)).toEqual(new Set(["requests"]));
});

test("a flood of upgrades is refused in the same way", async () => {
  await using hub = await startLimited({ requestsPerMinute: 3 });
  const ask = "GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const answers: string[] = [];
  for (let n = 0; n < 6; n += 1) answers.push(await rawRequest(hub.port, [ask]));
  expect(answers.flatMap(statusesOf)).toEqual([101, 101, 101, 429, 429, 429]);
  expect(answers.at(-1)).toMatch(/^Retry-After: \d+\r$/m);
});

test("clients are told apart by their address; within an IPv6 network of 64 bits they are one", async () => {
  const clientOf = ({ headers }: IncomingMessage) => String(headers["x-from"]);
  await using hub = await startLimited({ requestsPerMinute: 1 }, { clientOf });
  const statusFor = async (from: string) => (await fetch(hub.url, { headers: { "x-from": from } })).status;
  const asked = [
    "192.0.2.1",
    "192.0.2.2",
    "::ffff:192.0.2.1",
    "2001:db8::1",
    "2001:db8::2:1",
    "2001:db8:0:1::1",
  ];
  const statuses: number[] = [];
  for (const from of asked) statuses.push(await statusFor(from));
  expect(statuses).toEqual([200, 200, 429, 200, 429, 200]);
});

test("behind a trusted proxy the client is counted, not the proxy, and nobody else is believed", async () => {
  const asked = async (hub: TestHub, ...clients: string[]) => {
    const statuses: number[] = [];
    for (const client of clients) {
      statuses.push((await hub.get("/robots.txt", { "X-Forwarded-For": client })).status);
    }
    return statuses;
  };
  const limits = "limits: { requestsPerMinute: 1 }\n";
  await using behind = await startTestHub({ yaml: `trustProxy: [127.0.0.1]\n${limits}` });
  const clients = [
    "192.0.2.1",
    "192.0.2.1",
    "192.0.2.2",
    "2001:db8::1",
    "2001:db8::2",
    "203.0.113.9, 192.0.2.1",
  ];
  expect(await asked(behind, ...clients)).toEqual([200, 429, 200, 200, 429, 429]);
  // Publications with a wrong token are counted in the same way.
  const guess = (client: string) =>
    behind.publish("<a/>", { token: "rsp_wrong", headers: { "X-Forwarded-For": client } });
  expect((await guess("192.0.2.3")).status).toBe(401);
  expect((await guess("192.0.2.3")).status).toBe(429);
  // By default the header says nothing: all this comes from this machine.
  await using direct = await startTestHub({ yaml: limits });
  expect(await asked(direct, "192.0.2.1", "192.0.2.1")).toEqual([200, 200]);
});

test("publications with a good token are not among the requests of their address", async () => {
  await using hub = await startTestHub({
    yaml: "trustProxy: [127.0.0.1]\nlimits: { requestsPerMinute: 2 }\n",
  });
  const headers = { "X-Forwarded-For": "192.0.2.1" };
  const publish = async (n: number) => (await hub.publish(changeNotification(n), { headers })).status;
  const ask = async () => (await hub.get("/robots.txt", headers)).status;
  expect([await publish(1), await publish(2), await publish(3)]).toEqual([202, 202, 202]);
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  expect(await publish(4)).toBe(202);
});

test("the connections of a trusted proxy are not counted: they are those of many", async () => {
  await using hub = await startLimited({ connectionsPerAddress: 1 }, { isProxy: () => true });
  const open = await Promise.all([1, 2, 3].map(() => rawConnection(hub.port)));
  expect((await fetch(hub.url)).status).toBe(200);
  for (const socket of open) socket.destroy();
});

test("nobody is let off by saying over the network that it is this machine", async () => {
  const isExempt = (address: string): boolean => address === "127.1.1.1";
  await using hub = await startLimited({ requestsPerMinute: 1 }, { clientOf: () => "127.1.1.1", isExempt });
  expect((await fetch(hub.url)).status).toBe(200);
  expect((await fetch(hub.url)).status).toBe(429);
});

test("over TLS, one connection too many is ended before its handshake", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hub-limits-"));
  const { ca, ...files } = writeCertificate(directory);
  const tls = await readTlsFiles({ ...files, min: "1.2" });
  await rm(directory, { recursive: true });
  await using hub = await startLimited({ connectionsPerAddress: 1 }, {}, tls);
  const held = connectSecurely({ port: hub.port, host: "127.0.0.1", ca });
  await once(held, "secureConnect");
  expect(await rawRequest(hub.port, [])).toBe("");
  expect(hub.held).toEqual(["connections"]);
  held.end(`GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n`);
  expect(statusesOf(await text(held))).toEqual([200]);
});

test("one address has so many connections; one more is told so and ended, and there is room when one closes", async () => {
  await using hub = await startLimited({ connectionsPerAddress: 3 });
  const open = await Promise.all([1, 2, 3].map(() => rawConnection(hub.port)));
  const refused = await rawRequest(hub.port, [get]);
  expect(statusesOf(refused)).toEqual([429]);
  expect(refused).toMatch(/^Retry-After: 5\r$/m);
  expect(hub.served()).toBe(0);
  open[0]!.destroy();
  await waitUntil(async () =>
    expect(
      statusesOf(await rawRequest(hub.port, [get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")])),
    ).toEqual([200]),
  );
  for (const socket of open) socket.destroy();
});

test("all addresses together have so many connections; one more is closed at once", async () => {
  await using hub = await startLimited({ connections: 10 });
  const open = await Promise.all(Array.from({ length: 10 }, () => rawConnection(hub.port)));
  const extra = connect(hub.port, "127.0.0.1");
  extra.on("error", () => {});
  await once(extra, "close");
  for (const socket of open) socket.destroy();
});

test("who sends more than 64 requests without waiting for an answer is cut off, and nothing of it stays", async () => {
  await using hub = await startLimited({}, { hang: true });
  const answer = await rawRequest(hub.port, [get.repeat(500)]);
  expect(answer).toBe("");
  expect(hub.served()).toBe(64);
  expect(new Set(hub.held)).toEqual(new Set(["unanswered"]));
});

test("a publisher has so many notifications a minute, with all its tokens together, whatever others send", async () => {
  const [second, other] = ["rsp_test-publisher-2", "rsp_test-other"];
  const publishers = `publishers:
  - { name: map-software, tokenSha256: [${tokenSha256(publisherToken)}, ${tokenSha256(second)}], sets: [maps] }
  - { name: other, tokenSha256: ${tokenSha256(other)}, sets: [maps] }
`;
  await using hub = await startTestHub({ yaml: `${publishers}limits: { publishesPerMinute: 3 }\n` });
  const statuses: number[] = [];
  const tokens = [publisherToken, second, publisherToken, publisherToken, second];
  for (const [n, token] of tokens.entries())
    statuses.push((await hub.publish(changeNotification(n), { token })).status);
  expect(statuses).toEqual([202, 202, 202, 429, 429]);
  expect((await hub.publish(changeNotification(5), { token: other })).status).toBe(202);
  const refused = await hub.publish(changeNotification(6));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toContain("limits.publishesPerMinute");
  expect((await hub.publish("<a/>", { token: "rsp_wrong-token-of-nobody" })).status).toBe(401);
});

test("bodies that are being sent hold so much memory together; one more is 503 with Retry-After, and later taken", async () => {
  await using hub = await startTestHub({ yaml: "limits: { bodiesBytes: 1MB, notificationBytes: 900kB }\n" });
  const port = Number(new URL(hub.baseUrl).port);
  const slow = await rawConnection(port);
  slow.write(
    [
      "POST /sets/maps/change-notification HTTP/1.1",
      "Host: hub",
      `Authorization: Bearer ${publisherToken}`,
      "Content-Type: application/xml",
      "Content-Length: 800000",
      "",
      "<",
    ].join("\r\n"),
  );
  const large = changeNotification(1, { padding: `<!--${"x".repeat(300_000)}-->` });
  await waitUntil(async () => {
    const refused = await hub.publish(large);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
  });
  // What is small has room in any case.
  expect((await hub.publish(changeNotification(2))).status).toBe(202);
  slow.destroy();
  await waitUntil(async () => expect((await hub.publish(large)).status).toBe(202));
});

test.each([
  ["headers", "GET / HTTP/1.1\r\nX-A: "],
  ["a body", "POST / HTTP/1.1\r\nHost: hub\r\nContent-Length: 1000\r\n\r\n"],
  ["a chunk", "POST / HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n"],
  ["nothing", ""],
])("who sends %s a byte at a time is cut off when the time of a request is over", async (_what, begin) => {
  expect(requestTimes.headersTimeout).toBeLessThanOrEqual(15_000);
  expect(requestTimes.requestTimeout).toBeLessThanOrEqual(60_000);
  // The hub's own times, a hundred times shorter.
  const times = Object.fromEntries(Object.entries(requestTimes).map(([name, time]) => [name, time / 100]));
  const server = createServer(times, (request, response) => {
    request.resume();
    request.on("end", () => response.end());
  });
  const port = Number(new URL(await listenOnLoopback(server)).port);
  const socket = await rawConnection(port);
  const begun = Date.now();
  socket.resume().write(begin);
  const trickle = setInterval(() => begin !== "" && socket.writable && socket.write("a"), 20);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(trickle);
  expect(Date.now() - begun).toBeLessThan(3_000);
  await closeServer(server);
});

test("a hub cuts off who is late", async () => {
  await using hub = await startTestHub();
  const port = Number(new URL(hub.baseUrl).port);
  const late = await rawConnection(port);
  late.write("GET /livez HTTP/1.1\r\nX-A: ");
  const begun = Date.now();
  late.resume();
  await new Promise((resolve) => late.once("close", resolve));
  expect(Date.now() - begun).toBeGreaterThan(10_000);
  expect(Date.now() - begun).toBeLessThan(25_000);
});

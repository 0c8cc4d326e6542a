import { describe, expect, test } from "vitest";
import { changeNotification } from "../support/documents.ts";
import { type ExchangeOptions, hasAnswer, rawExchange, requestText } from "../support/raw-request.ts";
import { adminToken, publisherToken, testHubForAll } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

const topic = "/sets/maps/change-notification";
const close = "Connection: close";
const xml = "Content-Type: application/xml";
const publication = [`Authorization: Bearer ${publisherToken}`, xml];

describe("a hub that is sent what no client should send", () => {
  const hub = testHubForAll();

  const send = (request: string, options?: ExchangeOptions) => rawExchange(hub().port, [request], options);
  const newest = async (): Promise<string> => (await hub().get(topic)).text();
  /** Publications that were answered 400. */
  const unreadable = async (): Promise<number> => {
    const metrics = await (await hub().get("/metrics")).text();
    return Number(/^hub_notifications_refused_total\{status="400"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  };

  /** What would be a second request, if the first were read as its sender hopes; it ends the connection that it is answered on. */
  const smuggled = requestText("GET /metrics", [close]);
  const chunked = "Transfer-Encoding: chunked";
  const whole = `Content-Length: ${smuggled.length}`;

  test.each([
    ["a length", ["Content-Length: 4"], `<a/>${smuggled}`],
    ["chunks", [chunked], `4\r\n<a/>\r\n0\r\n\r\n${smuggled}`],
  ])("a second request behind a body with %s is answered", async (_what, headers, body) => {
    const { statuses, answer } = await send(requestText(`POST ${topic}`, [...publication, ...headers], body));
    expect(statuses).toEqual([422, 200]);
    expect(answer).toContain("hub_notifications");
  });

  test.each([
    ["Transfer-Encoding beside Content-Length", ["Content-Length: 4", chunked], `0\r\n\r\n${smuggled}`],
    ["two Content-Lengths that differ", ["Content-Length: 0", whole], smuggled],
    ["two Content-Lengths that agree", ["Content-Length: 0", "Content-Length: 0"], smuggled],
    ["a list as Content-Length", [`Content-Length: 0, ${smuggled.length}`], smuggled],
    ["a signed Content-Length", ["Content-Length: +4"], `abcd${smuggled}`],
    ["a negative Content-Length", ["Content-Length: -1"], smuggled],
    ["a hexadecimal Content-Length", ["Content-Length: 0x4"], `abcd${smuggled}`],
    ["a Content-Length with a space inside", ["Content-Length: 1 0"], smuggled],
    ["a Content-Length beyond any number", [`Content-Length: ${"9".repeat(30)}`], smuggled],
    ["a folded Content-Length", ["Content-Length:", " 4"], `abcd${smuggled}`],
    ["Transfer-Encoding that is not chunked", ["Transfer-Encoding: identity"], smuggled],
    ["chunked that is not the last coding", [`${chunked}, identity`], `0\r\n\r\n${smuggled}`],
    ["chunked twice", [chunked, chunked], `0\r\n\r\n${smuggled}`],
    ["a space before the colon", ["Transfer-Encoding : chunked"], `0\r\n\r\n${smuggled}`],
    ["a vertical tab in the coding", ["Transfer-Encoding: \u000bchunked"], `0\r\n\r\n${smuggled}`],
    ["a folded Transfer-Encoding", ["Transfer-Encoding:", " chunked"], `0\r\n\r\n${smuggled}`],
    ["a Transfer-Encoding that goes on folded", [chunked, " , identity"], `0\r\n\r\n${smuggled}`],
    ["a folded header beside Transfer-Encoding", ["X-A: b", " c", chunked], `0\r\n\r\n${smuggled}`],
    ["a folded header that says Content-Length", ["X-A: b", " Content-Length: 0", whole], smuggled],
    ["a chunk size that is none", [chunked], `zz\r\nabc\r\n0\r\n\r\n${smuggled}`],
    ["a chunk size with 0x", [chunked], `0x3\r\nabc\r\n0\r\n\r\n${smuggled}`],
    ["a negative chunk size", [chunked], `-1\r\nabc\r\n0\r\n\r\n${smuggled}`],
    ["a chunk size beyond any number", [chunked], `${"f".repeat(17)}\r\nabc\r\n0\r\n\r\n`],
    ["a chunk longer than it says", [chunked], `3\r\nabcdef\r\n0\r\n\r\n${smuggled}`],
    ["a chunk ended by a line feed alone", [chunked], `3\nabc\n0\n\n${smuggled}`],
    ["a bare carriage return in a header", [`X-A: b\r${chunked}`], smuggled],
    ["a NUL in a header", ["X-A: b\0c"], smuggled],
    ["a header without a name", [": x"], smuggled],
    ["a header name with a space", ["X A: b"], smuggled],
  ])(
    "request smuggling: %s is not taken for two requests, and publishes nothing",
    async (_what, headers, body) => {
      const before = await newest();
      const request = requestText(`POST ${topic}`, [...publication, ...headers], body);
      const { statuses, isEndedByPeer } = await send(request, { patience: 2_000 });
      expect({ statuses, isEndedByPeer }).toEqual({ statuses: [400], isEndedByPeer: true });
      expect(await newest()).toBe(before);
    },
  );

  test.each([
    ["a body shorter than it says", 100, "short"],
    ["no body at all", 100, ""],
  ])("%s publishes nothing", async (_what, length, body) => {
    const [before, refusedBefore] = [await newest(), await unreadable()];
    const headers = [...publication, `Content-Length: ${length}`];
    const { answer } = await send(requestText(`POST ${topic}`, headers, body), { patience: 300 });
    expect(answer).toBe("");
    // The connection has ended; once the hub has seen that, it is done with this publication.
    await waitUntil(async () => expect(await unreadable()).toBe(refusedBefore + 1));
    expect(await newest()).toBe(before);
  });

  test("a body longer than it says is read as long as it says; the rest is no request", async () => {
    const body = `<a/>${"x".repeat(20)}\r\n\r\n`;
    const request = requestText(`POST ${topic}`, [...publication, "Content-Length: 3"], body);
    const { statuses, isEndedByPeer } = await send(request);
    // The document is unreadable, and so is the request that its rest would be.
    expect({ statuses, isEndedByPeer }).toEqual({ statuses: [400], isEndedByPeer: true });
  });

  test("a body that is too large is refused by what it says, before it is sent", async () => {
    const headers = [...publication, "Content-Length: 5000001"];
    const { statuses } = await send(requestText(`POST ${topic}`, headers, "<"), { until: hasAnswer });
    expect(statuses).toEqual([413]);
  });

  test.each([
    ["that says its length", `Content-Length: ${7 * 0x100000}`, (part: string) => part, ""],
    ["in chunks", "Transfer-Encoding: chunked", (part: string) => `100000\r\n${part}\r\n`, "0\r\n\r\n"],
  ])("a body %s that is too large is refused, and its sender can finish it and reads why", async (...row) => {
    const [, length, write, end] = row;
    const head = requestText(`POST ${topic}`, [...publication, length]);
    const parts = Array.from({ length: 7 }, () => write("x".repeat(0x100000)));
    // The connection is still of use: what comes over it next is read as a request.
    const next = requestText("GET /livez", [close]);
    const { answer, statuses } = await rawExchange(hub().port, [head, ...parts, end, next]);
    expect(statuses).toEqual([413, 200]);
    expect(answer).toContain("Split a large change notification");
  });

  test("a body without a token is not waited for", async () => {
    const request = requestText(`POST ${topic}`, [xml, "Content-Length: 1000000"], "<");
    expect((await send(request, { until: hasAnswer })).statuses).toEqual([401]);
  });

  test("Expect: 100-continue does not make the hub take what it refuses", async () => {
    const headers = ["Expect: 100-continue", xml, "Content-Length: 10"];
    const isRefused = (answer: string): boolean => answer.includes(" 401 ");
    const { statuses } = await send(requestText(`POST ${topic}`, headers), { until: isRefused });
    expect(statuses).toEqual([100, 401]);
  });

  test("more header bytes than 16 KiB, and more headers than Node takes, are refused", async () => {
    const large = await send(requestText("GET /livez", [`X-A: ${"a".repeat(20_000)}`]));
    expect(large.statuses).toEqual([431]);
    const headers = Array.from({ length: 3000 }, (_, n) => `X${n}: a`);
    const many = await send(requestText("GET /livez", [close, ...headers]));
    expect(many.statuses).toEqual([431]);
  });

  const ours = ["/validate", "/websub", "/livez", "/metrics", "/", topic, "/sets/maps/resourcelist.xml"];
  test.each([
    ["TRACE", [405]],
    // Without a listener of its own Node ends the connection; there is no proxy here to speak for.
    ["CONNECT", []],
    ["DELETE", [405]],
    ["PATCH", [405]],
    ["OPTIONS", [405]],
    ["PROPFIND", [405]],
    ["get", [400]],
    ["POSTX", [400]],
    ["GET\t", [400]],
  ])(
    "the method %j does nothing that GET or POST would, whatever it is sent to",
    async (method, expected) => {
      const before = await newest();
      const body = changeNotification(78);
      const override = ["X-HTTP-Method-Override: POST", `Content-Length: ${Buffer.byteLength(body)}`];
      const headers = [...publication, ...override, close];
      for (const path of ours) {
        const { answer, statuses, isEndedByPeer } = await send(
          requestText(`${method} ${path}`, headers, body),
        );
        expect({ path, statuses, isEndedByPeer }).toEqual({ path, statuses: expected, isEndedByPeer: true });
        // A TRACE would give back the token (RFC 9110 §9.3.8).
        expect(answer).not.toContain(publisherToken);
      }
      expect(await newest()).toBe(before);
    },
  );

  test.each([
    ["/", "GET"],
    ["/.well-known/resourcesync", "GET"],
    ["/sets/maps/capabilitylist.xml", "GET"],
    ["/sets/maps/resourcelist.xml", "GET, PUT"],
    ["/sets/maps/changelist.xml", "GET"],
    [topic, "GET, POST"],
    ["/websub", "POST"],
    ["/validate", "POST"],
    ["/livez", "GET"],
    ["/readyz", "GET"],
    ["/robots.txt", "GET"],
    ["/metrics", "GET"],
    ["/api/v1/sets", "GET"],
  ])("the path %s takes its own methods, and says so to any other: %s", async (path, allowed) => {
    const before = await newest();
    const taken = allowed.split(", ");
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"].filter((any) => !taken.includes(any))) {
      const headers = { "Content-Type": "application/xml", Authorization: `Bearer ${adminToken}` };
      const body = method === "GET" ? {} : { body: changeNotification(79) };
      const answer = await fetch(`${hub().baseUrl}${path}`, { method, headers, ...body });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, allowed]);
      await answer.text();
    }
    expect(await newest()).toBe(before);
  });

  test.each([
    ["no HTTP at all", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
    ["HTTP/2 with prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an SSH client", "SSH-2.0-OpenSSH_9.0\r\n"],
    ["a line without an end", "G".repeat(100_000)],
    ["HTTP/1.1 without Host", "GET /livez HTTP/1.1\r\n\r\n"],
    ["a version that is none", "GET /livez HTTP/9.9\r\nHost: hub\r\n\r\n"],
  ])("%s is answered with an error, and the connection ends", async (_what, bytes) => {
    const { statuses, isEndedByPeer } = await rawExchange(hub().port, [Buffer.from(bytes, "latin1")]);
    expect({ statuses, isEndedByPeer }).toEqual({ statuses: [400], isEndedByPeer: true });
  });

  test("requests that come in one write are answered one by one, in their order", async () => {
    const requests = ["/livez", "/nothing", topic].map((path) => requestText(`GET ${path}`));
    const { statuses } = await send(requests.join("") + requestText("GET /livez", [close]));
    expect(statuses).toEqual([200, 404, 200, 200]);
  });

  test("a thousand requests in one write end the connection, and nobody else notices", async () => {
    const [{ statuses, isEndedByPeer }, other] = await Promise.all([
      send(requestText("GET /readyz").repeat(1000)),
      hub().get("/livez"),
    ]);
    expect(isEndedByPeer).toBe(true);
    expect(statuses.length).toBeLessThanOrEqual(64);
    expect(other.status).toBe(200);
  });

  test("a query of many parameters, and names of Object's own in it, change nothing", async () => {
    const query = Array.from({ length: 500 }, (_, n) => `a${n}=1`).join("&");
    const answer = await hub().get(
      `/validate?${query}&__proto__[polluted]=1&constructor.prototype.polluted=1`,
    );
    expect(answer.status).toBe(405);
    const polluted = await hub().get("/api/v1/sets?__proto__=1", { Authorization: `Bearer ${adminToken}` });
    expect(polluted.status).toBe(400);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("after all this the hub answers, and has counted no failure of its own", async () => {
    expect((await hub().get("/readyz")).status).toBe(200);
    const metrics = await (await hub().get("/metrics")).text();
    expect(metrics).not.toMatch(/hub_notifications_refused_total\{status="500"\}/);
    expect(metrics).not.toMatch(/^hub_notifications_published_total\{.*\} [1-9]/m);
  });
});

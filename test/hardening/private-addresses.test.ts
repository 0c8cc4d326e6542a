import { lookup } from "node:dns/promises";
import { expect, test } from "vitest";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { AddressRefused } from "../../src/security/outbound-errors.ts";
import type { Resolve } from "../../src/security/guarded-lookup.ts";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";

function openOutbound(allow: readonly string[], resolve?: Resolve) {
  const options = { allow, events: { outboundRefused: () => {} }, userAgent: "hub/test" };
  const outbound = createOutboundHttp(resolve === undefined ? options : { ...options, resolve });
  return { ...outbound, [Symbol.asyncDispose]: () => outbound.close() };
}

const get = { method: "GET", headers: {}, timeout: 5000, maxBytes: 1000 } as const;
const portOf = (server: CallbackServer): string => new URL(server.origin).port;
const loopback = { address: "127.0.0.1", family: 4 };

test.each([
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "0177.0.0.1",
  "%31%32%37.0.0.1",
  "127。0。0。1",
  "127.0.0.1.",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "0.0.0.0",
  "0",
  "[::]",
  "localhost",
  "LOCALHOST",
])("a callback at %s reaches nothing", async (host) => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound([]);
  const request = outbound.request({ ...get, url: `http://${host}:${portOf(callback)}/` });
  await expect(request).rejects.toThrow(AddressRefused);
  expect(callback.verifications).toHaveLength(0);
});

test.each([
  "http://169.254.169.254/latest/meta-data/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://192.168.0.1/",
  "https://10.0.0.1/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[2002:7f00:1::]/",
])("%s is refused before a connection is tried", async (url) => {
  await using outbound = openOutbound([]);
  await expect(outbound.request({ ...get, url, timeout: 1000 })).rejects.toThrow("outbound.allow");
});

test.each([
  "file:///etc/passwd",
  "ftp://e.org/",
  "gopher://127.0.0.1/",
  "http:/127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http://e.org\\@127.0.0.1/",
  "http://user:word@e.org/",
  "http://e.org/\r\nX-Injected: 1",
  "http://e.org/ HTTP/1.1",
])("%j is no URL to be called", async (url) => {
  await using outbound = openOutbound([]);
  await expect(outbound.request({ ...get, url })).rejects.toThrow(AddressRefused);
});

test("a name that resolves to a private address only is refused", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound([], async () => [loopback, { address: "::1", family: 6 }]);
  const request = outbound.request({ ...get, url: `http://innocent.example:${portOf(callback)}/` });
  await expect(request).rejects.toThrow("innocent.example may not be called: ::1 is a loopback address");
  expect(callback.verifications).toHaveLength(0);
});

test("of several addresses only those that may be called are tried", async () => {
  await using callback = await startCallbackServer();
  const resolve: Resolve = async () => [{ address: "127.0.0.2", family: 4 }, loopback];
  await using outbound = openOutbound(["127.0.0.1"], resolve);
  // 127.0.0.2 is not allowed: were it tried, it would refuse the connection, for the server listens on 127.0.0.1 only.
  const answer = await outbound.request({ ...get, url: `http://mixed.example:${portOf(callback)}/` });
  expect(answer.status).toBe(200);
});

test("the address that was checked is the one that is called: a name that changes gains nothing", async () => {
  await using callback = await startCallbackServer();
  let lookups = 0;
  const rebinding: Resolve = async () => {
    lookups += 1;
    return lookups === 1 ? [loopback] : [{ address: "127.0.0.2", family: 4 }];
  };
  await using outbound = openOutbound(["127.0.0.1"], rebinding);
  const url = `http://rebinding.example:${portOf(callback)}/`;
  expect((await outbound.request({ ...get, url })).status).toBe(200);
  expect(lookups).toBe(1);
});

test("each new connection is checked anew", async () => {
  await using callback = await startCallbackServer();
  callback.answerVerifications({ headers: { Connection: "close" } });
  const answers = [[loopback], [{ address: "127.0.0.2", family: 4 }]];
  await using outbound = openOutbound(["127.0.0.1"], async () => answers.shift() ?? []);
  const url = `http://moving.example:${portOf(callback)}/`;
  await outbound.request({ ...get, url });
  await expect(outbound.request({ ...get, url })).rejects.toThrow("127.0.0.2 is a loopback address");
});

test("a redirect to a private address leads nowhere", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound(["127.0.0.1"]);
  callback.answerVerifications({ status: 302, headers: { Location: "http://169.254.169.254/" } });
  expect((await outbound.request({ ...get, url: callback.url() })).status).toBe(302);
  expect(callback.verifications).toHaveLength(1);
});

test("what outbound.allow lists may be called, by address and by name", async () => {
  await using callback = await startCallbackServer();
  await using outbound = openOutbound(["127.0.0.0/8"]);
  expect((await outbound.request({ ...get, url: callback.url() })).status).toBe(200);
  const names = await lookup("localhost", { all: true });
  expect(names.map(({ address }) => address)).toContain("127.0.0.1");
  const url = `http://localhost:${portOf(callback)}/`;
  expect((await outbound.request({ ...get, url })).status).toBe(200);
});

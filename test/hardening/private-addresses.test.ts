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
  "[0:0:0:0:0:ffff:7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "127.0.1",
  "0x7f.0x0.0x0.0x1",
  "017700000001",
  "0x7f000001.",
  "127.0.0.1%2e",
  "①②⑦.⓪.⓪.①",
  "127.000.000.001",
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
  "http://[64:ff9b:1::a9fe:a9fe]/",
  "http://[2001:0:7f00:1::]/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[::a9fe:a9fe]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[5f00::1]/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://192.168.257/",
  "http://10.1/",
  "http://0/",
  "http://255.255.255.255/",
  "http://239.255.255.250/",
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
  "http://u@e.org/",
  "http://:@127.0.0.1:80@e.org/",
  "http://e.org/\r\nX-Injected: 1",
  "http://e.org/\tX",
  "http://[fe80::1%25lo]/",
  "http://[fe80::1%lo]/",
  "http://127.0.0.256/",
  "http://0x100000000/",
  "http://1.2.3.4.5/",
  "http://e.org:65536/",
  "ws://127.0.0.1/",
  "unix:/run/docker.sock",
  "http+unix://%2Frun%2Fdocker.sock/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "//e.org/",
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

test.each([
  "10.0.0.1",
  "169.254.169.254",
  "100.100.100.200",
  "0.0.0.0",
  "::ffff:10.0.0.1",
  "::ffff:a00:1",
  "::10.0.0.1",
  "64:ff9b::10.0.0.1",
  "2002:a00:1::",
  "2001:0:4136:e378:8000:63bf:f5ff:fffe",
  "fd00:ec2::254",
  "fe80::1%lo",
])("a name whose only address is %s is not called", async (address) => {
  const family = address.includes(":") ? 6 : 4;
  await using outbound = openOutbound([], async () => [{ address, family }]);
  const request = outbound.request({ ...get, url: "http://innocent.example/", timeout: 1000 });
  await expect(request).rejects.toThrow(AddressRefused);
});

test("of a name with A and AAAA records, the private ones are never tried, in whatever order they come", async () => {
  await using callback = await startCallbackServer("::1");
  const loopback6 = { address: "::1", family: 6 };
  for (const addresses of [
    [loopback6, loopback],
    [loopback, loopback6],
  ]) {
    await using outbound = openOutbound(["127.0.0.1"], async () => addresses);
    const request = outbound.request({ ...get, url: `http://both.example:${portOf(callback)}/` });
    // Only 127.0.0.1 may be tried, where nobody listens.
    await expect(request).rejects.toThrow("refused the connection");
  }
  expect(callback.verifications).toHaveLength(0);
});

test("a name without any address is an error, not a way around the check", async () => {
  await using outbound = openOutbound([], async () => []);
  await expect(outbound.request({ ...get, url: "http://empty.example/" })).rejects.toThrow(AddressRefused);
});

test.each([0, 22, 25, 110, 143, 6000, 6667, 10080])(
  "port %i, that of another protocol, is not called, not even at an address that is allowed",
  async (port) => {
    await using outbound = openOutbound(["127.0.0.0/8"]);
    const request = outbound.request({ ...get, url: `http://127.0.0.1:${port}/` });
    await expect(request).rejects.toThrow(`port ${port} is that of another protocol`);
    await expect(request).rejects.toThrow(AddressRefused);
  },
);

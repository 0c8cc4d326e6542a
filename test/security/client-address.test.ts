import { expect, test } from "vitest";
import { clientAddress } from "../../src/security/client-address.ts";

const proxy = "10.0.0.1";

test("by default X-Forwarded-For is not believed, whatever it says", () => {
  const addressOf = clientAddress("none");
  expect(addressOf("198.51.100.7", "192.0.2.1")).toBe("198.51.100.7");
  expect(addressOf("::ffff:198.51.100.7", undefined)).toBe("198.51.100.7");
  expect(addressOf(undefined, "192.0.2.1")).toBe("");
});

test.each([
  ["one proxy, which added the client", 1, "192.0.2.1", "192.0.2.1"],
  ["a client that wrote an address there itself", 1, "203.0.113.9, 192.0.2.1", "192.0.2.1"],
  ["two proxies", 2, "192.0.2.1, 10.0.0.2", "192.0.2.1"],
  ["two proxies, and a client that lies", 2, "203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
  ["fewer hops than proxies: somebody came past them", 2, undefined, proxy],
  ["what is no address, before what the proxy added", 1, "unknown, <script>, 192.0.2.1", "192.0.2.1"],
  ["what is no address in the place of the client", 1, "unknown", proxy],
  ["an address with its port", 1, "192.0.2.1:4711", "192.0.2.1"],
  ["IPv6 with its port", 1, "[2001:db8::1]:4711", "2001:db8::1"],
])("a number of proxies: %s", (_what, count, forwarded, client) => {
  expect(clientAddress(count)(proxy, forwarded)).toBe(client);
});

test.each([
  ["the proxy is trusted", proxy, "192.0.2.1", "192.0.2.1"],
  ["a client that wrote an address there itself", proxy, "203.0.113.9, 192.0.2.1", "192.0.2.1"],
  ["a chain of trusted proxies", proxy, "192.0.2.1, 10.0.0.77", "192.0.2.1"],
  ["somebody else than the proxy connects", "198.51.100.7", "192.0.2.1", "198.51.100.7"],
  ["nothing but proxies", proxy, "10.0.0.9", "10.0.0.9"],
])("addresses of proxies: %s", (_what, remote, forwarded, client) => {
  expect(clientAddress(["10.0.0.0/8"])(remote, forwarded)).toBe(client);
});

import { expect, test } from "vitest";
import { listenUrl } from "../../src/configuration/listen-url.ts";
import { isLoopbackHost } from "../../src/configuration/loopback.ts";

test("an address that is listened on is written as a URL, IPv6 in brackets", () => {
  expect(listenUrl("http", { host: "::1", port: 8080 })).toBe("http://[::1]:8080");
  expect(listenUrl("https", { host: "127.0.0.1", port: 8443 })).toBe("https://127.0.0.1:8443");
  expect(listenUrl("http", { host: "localhost", port: 80 })).toBe("http://localhost:80");
});

test.each(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"])(
  "%s is reached by this machine only",
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

test.each([
  "0.0.0.0",
  "::",
  "127.0.0.1.example.org",
  "localhost.example.org",
  "127.999.0.1",
  "192.0.2.1",
  "",
])("%j is not, as far as the hub can know", (host) => expect(isLoopbackHost(host)).toBe(false));

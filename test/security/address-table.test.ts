import { expect, test } from "vitest";
import { createAddressGuard } from "../../src/security/address-table.ts";

const guard = createAddressGuard([]);

test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"])(
  "%s is public and may be called",
  (address) => {
    expect(guard.check(address)).toBe("callable");
  },
);

test.each([
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["10.1.2.3", "private"],
  ["172.16.0.1", "private"],
  ["192.168.1.1", "private"],
  ["fd00::1", "private"],
  ["169.254.169.254", "link-local"],
  ["fe80::1", "link-local"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["0.0.0.0", "unspecified"],
  ["::", "unspecified"],
  ["224.0.0.1", "multicast"],
  ["ff02::1", "multicast"],
  ["255.255.255.255", "broadcast"],
  ["192.0.2.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["240.0.0.1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:10.0.0.1", "private"],
  ["::ffff:a9fe:a9fe", "link-local"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["::ffff:0:127.0.0.1", "IPv4-translated"],
  ["2002:7f00:1::", "6to4"],
  ["2001::1", "teredo"],
  ["::7f00:1", "not globally routed"],
  ["4000::1", "not globally routed"],
])("%s is refused as %s, and the key that would allow it is named", (address, range) => {
  const verdict = guard.check(address);
  expect(verdict).toEqual({ refused: expect.stringContaining(range) });
  expect(verdict).toEqual({ refused: expect.stringContaining("outbound.allow") });
});

test.each(["", "localhost", "127.0.0.1:80", "[::1]", "nonsense"])(
  "%j is no address and is refused",
  (text) => {
    expect(guard.check(text)).not.toBe("callable");
  },
);

test("ranges and single addresses can be allowed, loopback too, and only those", () => {
  const allowing = createAddressGuard(["10.1.0.0/16", "127.0.0.1", "fd12::/16", "::1"]);
  expect(
    ["10.1.2.3", "127.0.0.1", "fd12::9", "::1", "::ffff:10.1.0.1"].map((one) => allowing.check(one)),
  ).toEqual(Array.from({ length: 5 }, () => "callable"));
  for (const address of ["10.2.0.1", "127.0.0.2", "fd13::1", "::2"])
    expect(allowing.check(address)).not.toBe("callable");
});

test.each(["10.0.0.0/33", "localhost", "", "10.0.0.0-10.0.0.9"])(
  "outbound.allow refuses %j and names it",
  (entry) => {
    expect(() => createAddressGuard([entry])).toThrow(`outbound.allow: ${JSON.stringify(entry)} is neither`);
  },
);

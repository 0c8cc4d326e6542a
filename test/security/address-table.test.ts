import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { createAddressGuard } from "../../src/security/address-table.ts";
import { specialAddresses } from "../../src/security/special-addresses.ts";

const guard = createAddressGuard([]);

test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"])(
  "%s is public and may be called",
  (address) => {
    expect(guard.check(address, address)).toBe("callable");
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
  ["192.0.2.1", "documentation"],
  ["198.18.0.1", "benchmarking"],
  ["240.0.0.1", "reserved"],
  ["2001:db8::1", "documentation"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:10.0.0.1", "private"],
  ["::ffff:a9fe:a9fe", "link-local"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["::ffff:0:127.0.0.1", "IPv4-translated"],
  ["2002:7f00:1::", "6to4"],
  ["2001::1", "Teredo"],
  ["::7f00:1", "IPv4-compatible"],
  ["4000::1", "not globally routed"],
])("%s is refused as %s, and the key that would allow it is named", (address, range) => {
  const verdict = guard.check(address, address);
  expect(verdict).toEqual({ refused: expect.stringContaining(range) });
  expect(verdict).toEqual({ refused: expect.stringContaining("outbound.allow") });
});

test.each(["", "localhost", "127.0.0.1:80", "[::1]", "nonsense"])(
  "%j is no address and is refused",
  (text) => {
    expect(guard.check(text, text)).not.toBe("callable");
  },
);

test("ranges and single addresses can be allowed, loopback too, and only those", () => {
  const allowing = createAddressGuard(["10.1.0.0/16", "127.0.0.1", "fd12::/16", "::1"]);
  expect(
    ["10.1.2.3", "127.0.0.1", "fd12::9", "::1", "::ffff:10.1.0.1"].map((one) => allowing.check(one, one)),
  ).toEqual(Array.from({ length: 5 }, () => "callable"));
  for (const address of ["10.2.0.1", "127.0.0.2", "fd13::1", "::2"])
    expect(allowing.check(address, address)).not.toBe("callable");
});

test.each(["10.0.0.0/33", "localhost", "", "10.0.0.0-10.0.0.9"])(
  "outbound.allow refuses %j and names it",
  (entry) => {
    expect(() => createAddressGuard([entry])).toThrow(`outbound.allow: ${JSON.stringify(entry)} is neither`);
  },
);

/** What IANA's registries of special-purpose addresses held in November 2026, multicast, and ranges of older RFCs. */
const registered = {
  ipv4: "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32",
  ipv6: "::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8",
};
/** The first and the last address of a range, as bytes. */
const endsOf = (range: string): [first: number[], last: number[]] => {
  const [network, bits] = ipaddr.parseCIDR(range);
  const bytes = network.toByteArray();
  const kept = bytes.map((_, at) => Math.max(0, Math.min(8, bits - 8 * at)));
  const masks = kept.map((count) => (0xff << (8 - count)) & 0xff);
  return [
    bytes.map((byte, at) => byte & masks[at]!),
    bytes.map((byte, at) => (byte & masks[at]!) | (~masks[at]! & 0xff)),
  ];
};

test.each(Object.values(registered).flatMap((all) => all.split(" ")))(
  "from its first to its last address, %s of IANA's registries is refused",
  (range) => {
    for (const bytes of endsOf(range)) {
      const address = ipaddr.fromByteArray(bytes).toString();
      expect(guard.check(address, address)).toEqual({ refused: expect.stringContaining(address) });
    }
  },
);

test("every row of the table names its standard and counts: without a row before it that covers it", () => {
  const seen: string[] = [];
  for (const [range, name, standard] of specialAddresses) {
    expect(standard).toMatch(/^RFC \d+( §[\d.]+)?$/);
    const [network, bits] = ipaddr.parseCIDR(range);
    expect(network.toString() + "/" + bits, "has host bits").toBe(
      ipaddr.fromByteArray(endsOf(range)[0]).toString() + "/" + bits,
    );
    const covering = seen.filter((earlier) => {
      const [wider, count] = ipaddr.parseCIDR(earlier);
      return wider.kind() === network.kind() && count <= bits && network.match(wider, count);
    });
    expect(covering, `${name} ${range}`).toEqual([]);
    seen.push(range);
  }
});

test("nothing is called that another table of special addresses knows, and little else is refused", () => {
  const address = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    fc.tuple(fc.constantFrom(...specialAddresses), fc.nat(255)).map(([[range], byte]) => {
      const bytes = Uint8Array.from(endsOf(range)[0]);
      bytes[bytes.length - 1] = byte;
      return bytes;
    }),
  );
  fc.assert(
    fc.property(address, (bytes) => {
      const text = ipaddr.fromByteArray([...bytes]).toString();
      const parsed = ipaddr.process(text);
      const isSpecial = parsed.range() !== "unicast";
      const isCallable = guard.check(text, text) === "callable";
      // Of IPv4 the two tables agree; of IPv6 ours refuses more.
      return isSpecial ? !isCallable : parsed.kind() === "ipv6" || isCallable;
    }),
    { numRuns: 3000, seed: 20261120 },
  );
});

import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;
type Range = [Address, number];

export interface AddressGuard {
  /** `address`: an IPv4 or IPv6 address in any notation, without brackets. */
  check(address: string): "callable" | { readonly refused: string };
}

/** For people: the special-purpose ranges of RFC 6890 and its registries, as ipaddr.js names them. */
const rangeNames: Record<string, string> = {
  linkLocal: "link-local",
  uniqueLocal: "private (unique local)",
  carrierGradeNat: "carrier-grade NAT",
  ipv4Mapped: "IPv4-mapped",
  rfc6145: "IPv4-translated",
  rfc6052: "NAT64",
  unicast: "not globally routed",
};

/** All that is routed on the public IPv6 internet (RFC 4291 §2.4, IANA); ipaddr.js calls everything else `unicast` too. */
const globalIpv6 = ipaddr.parseCIDR("2000::/3");

/**
 * Says which addresses this hub may call: public ones and those in `allow`, a list of CIDR ranges or single addresses.
 * Throws an `Error` that names the entry of `outbound.allow` which is neither.
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const allowed = allow.map(parseRange);
  return {
    check(text) {
      if (!ipaddr.isValid(text)) return { refused: `${text} is not an IP address` };
      const address = ipaddr.process(text);
      if (allowed.some((range) => isWithin(address, range)) || isPublic(address)) return "callable";
      const name = rangeNames[address.range()] ?? address.range();
      return {
        refused: `${text} is a ${name} address; to allow it, list it or its network in outbound.allow`,
      };
    },
  };
}

function isPublic(address: Address): boolean {
  return address.range() === "unicast" && (address.kind() === "ipv4" || isWithin(address, globalIpv6));
}

/** `match` of ipaddr.js throws where the kinds differ. */
function isWithin(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function parseRange(entry: string): Range {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (ipaddr.isValid(entry)) {
    const address = ipaddr.process(entry);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  throw new Error(
    `outbound.allow: ${JSON.stringify(entry)} is neither an IP address nor a range such as 10.1.0.0/16 or fd00::/8`,
  );
}

import ipaddr from "ipaddr.js";
import { type Address, isWithin, parseRange, type Range } from "./address-range.ts";

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
  const allowed = allow.map(allowedRange);
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

/** The message names the key of the configuration. */
function allowedRange(entry: string): Range {
  try {
    return parseRange(entry);
  } catch (error) {
    throw new Error(`outbound.allow: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

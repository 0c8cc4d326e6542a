import ipaddr from "ipaddr.js";
import { type Address, isWithin, parseRange, type Range } from "./address-range.ts";
import { specialAddresses } from "./special-addresses.ts";

export interface AddressGuard {
  /**
   * `address`: an IPv4 or IPv6 address in any notation, without brackets. `hostname`: the name that it was found by, or the
   * address itself.
   */
  check(address: string, hostname: string): "callable" | { readonly refused: string };
}

const special = specialAddresses.map(([range, name, standard]) => ({
  range: ipaddr.parseCIDR(range),
  is: `a ${name} address (${standard})`,
}));

/** All that is routed on the public IPv6 internet (RFC 4291 §2.4, IANA). */
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
      if (allowed.some((range) => isWithin(address, range))) return "callable";
      const is = whyNotPublic(address);
      if (is === undefined) return "callable";
      return { refused: `${text} is ${is}; to allow it, list it or its network in outbound.allow` };
    },
  };
}

/** What one client is known by: an IPv4 address, or of IPv6 the /64 network, within which anybody has addresses to spare. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, at) => (at < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}

/** Whether an address is this machine's own, also as IPv6 writes those of IPv4. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** What a public address is not. */
function whyNotPublic(address: Address): string | undefined {
  const found = special.find(({ range }) => isWithin(address, range));
  if (found !== undefined) return found.is;
  if (address.kind() === "ipv4" || isWithin(address, globalIpv6)) return undefined;
  return "a not globally routed address (RFC 4291 §2.4)";
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

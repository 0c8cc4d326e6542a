import ipaddr from "ipaddr.js";

export type Address = ReturnType<typeof ipaddr.process>;
export type Range = readonly [Address, number];

/** `match` of ipaddr.js throws where the kinds differ. */
export function isWithin(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** An address, or a range as address/prefix length. Throws an `Error` where the text is neither. */
export function parseRange(entry: string): Range {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (ipaddr.isValid(entry)) {
    const address = ipaddr.process(entry);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  throw new Error(
    `${JSON.stringify(entry)} is neither an IP address nor a range such as 10.1.0.0/16 or fd00::/8`,
  );
}

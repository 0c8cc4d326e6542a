import ipaddr from "ipaddr.js";
import { isWithin, parseRange, type Range } from "./address-range.ts";

/** How many proxies stand in front, or which addresses they have; `none`: whoever connects is the client. */
export type TrustedProxies = "none" | number | readonly string[];

/** `remote`: the address of the connection. `forwardedFor`: `X-Forwarded-For`, as it came. */
export type ClientAddress = (remote: string | undefined, forwardedFor: string | undefined) => string;

/**
 * The address of the client, as far as it can be believed. Each proxy adds to `X-Forwarded-For` the address that connected to
 * it, so the list is read from its end; what a client wrote there itself stands before everything that a proxy added.
 * Throws where an entry of the list is no address.
 */
export function clientAddress(trusted: TrustedProxies): ClientAddress {
  if (trusted === "none") return (remote) => plain(remote);
  if (typeof trusted === "number") {
    return (remote, forwardedFor) => {
      const hops = [...addressesOf(forwardedFor), plain(remote)];
      return hops.at(-1 - trusted) ?? hops[0] ?? "";
    };
  }
  const isProxy = isTrustedProxy(trusted);
  return (remote, forwardedFor) => {
    const hops = [...addressesOf(forwardedFor), plain(remote)];
    return hops.findLast((address) => !isProxy(address)) ?? hops[0] ?? "";
  };
}

/** Whether a connection from this address is a trusted proxy's. Of a number of proxies, every one is: nobody comes past them. */
export function isTrustedProxy(trusted: TrustedProxies): (address: string) => boolean {
  if (trusted === "none") return () => false;
  if (typeof trusted === "number") return () => true;
  const ranges = trusted.map(parseRange);
  return (address) => isIn(address, ranges);
}

/** IPv4 as such, also where the socket listens for both kinds (`::ffff:192.0.2.1`). */
function plain(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? "";
  return ipaddr.process(address).toString();
}

/** Some proxies add the port. What is no address ends the list: nothing before it was added by a proxy that works. */
function addressesOf(forwardedFor: string | undefined): readonly string[] {
  const written = (forwardedFor ?? "").split(",").map((hop) => {
    const [, bracketed, v4] = /^\s*(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)\s*$/.exec(hop) ?? [];
    return bracketed ?? v4 ?? hop.trim();
  });
  const broken = written.findLastIndex((address) => !ipaddr.isValid(address));
  return written.slice(broken + 1).map(plain);
}

function isIn(address: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => isWithin(parsed, range));
}

import { isLoopback } from "../security/address-table.ts";

/** A host that only this machine can reach: its name, or an address; IPv6 with or without brackets. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === "localhost" || isLoopback(host.replace(/^\[(.*)\]$/, "$1"));

import { isIPv6 } from "node:net";

/** An address that is listened on as a URL without a path; IPv6 stands in brackets (RFC 3986 §3.2.2). */
export function listenUrl(
  scheme: "http" | "https",
  { host, port }: { readonly host: string; readonly port: number },
): string {
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

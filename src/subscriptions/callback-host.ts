import { parseHttpUrl } from "../protocol/http-url.ts";

/**
 * `host:port` of a callback, for what is counted by host: path, scheme and the dot at the end of a name make no difference.
 * Empty where there is none.
 */
export function callbackHostOf(callback: string): string {
  const parsed = parseHttpUrl(callback);
  if ("fault" in parsed) return "";
  const { protocol, hostname, port } = new URL(parsed.origin);
  const standard = protocol === "https:" ? "443" : "80";
  return `${hostname.replace(/\.$/, "")}:${port === "" ? standard : port}`;
}

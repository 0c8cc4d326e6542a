import { parseHttpUrl } from "./http-url.ts";
import { comparableUrl } from "./websub.ts";

interface Pattern {
  readonly scheme: string;
  /** Lower case. `*` is any host, `*.example.org` any name below example.org. */
  readonly host: string;
  readonly port: string;
  /** Path and query between the `*`s. */
  readonly pieces: readonly string[];
}

/**
 * Reads a URL in which `*` may stand for any host, for any labels at the beginning of a host name, and for anything in path and
 * query; `undefined` where it is none.
 */
export function parseCallbackPattern(text: string): Pattern | undefined {
  const parsed = parseHttpUrl(text);
  if ("fault" in parsed || parsed.hasFragment) return undefined;
  const { protocol: scheme, hostname: host, port } = new URL(parsed.origin);
  if (!/^(\*|(\*\.)?[^*]+)$/.test(host)) return undefined;
  return { scheme, host, port, pieces: targetOf(text).split("*") };
}

/** Whether a callback is as one of the patterns says; those that are none match nothing. */
export function callbackMatcher(texts: readonly string[]): (callback: string) => boolean {
  const patterns = texts.flatMap((text) => parseCallbackPattern(text) ?? []);
  return (callback) => {
    const parsed = parseHttpUrl(callback);
    if ("fault" in parsed) return false;
    const { protocol, hostname, port } = new URL(parsed.origin);
    const target = targetOf(callback);
    return patterns.some(
      (pattern) =>
        pattern.scheme === protocol &&
        pattern.port === port &&
        isHost(pattern.host, hostname) &&
        isTarget(pattern.pieces, target),
    );
  };
}

function isHost(pattern: string, hostname: string): boolean {
  if (pattern === "*") return true;
  return pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;
}

/**
 * Path and query as they are compared. Servers resolve dots: `/hooks/../admin`, however it is escaped, is not below /hooks/.
 * Escaped slashes and backslashes, which some servers decode before that, are resolved with them.
 */
function targetOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const decoded = pathname.replaceAll(/%2f|%5c/gi, "/");
  const resolved = decoded === pathname ? pathname : new URL(origin + decoded).pathname;
  return comparableUrl(origin + resolved + search).slice(origin.length);
}

/** Linear in the length of the target for each piece. */
function isTarget(pieces: readonly string[], target: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return target === first;
  if (!target.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = target.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return target.length - last.length >= at && target.endsWith(last);
}

/**
 * Path and query of a request target, below the path of the base URL: with or without that prefix, as proxies pass either.
 * The absolute form must be taken as well (RFC 9112 §3.2.2).
 */
export function targetsBelow(baseUrl: string): (target: string) => string {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  return (target) => {
    const written = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
    const isBelow =
      prefix !== "" && written.startsWith(prefix) && /^([/?]|$)/.test(written.slice(prefix.length));
    const path = isBelow ? written.slice(prefix.length) : written;
    return path === "" || path.startsWith("?") ? `/${path}` : path;
  };
}

import { readFile } from "node:fs/promises";
import type { LoadKeys } from "./key-set.ts";
import type { OutboundHttp } from "./outbound-http.ts";

const timeout = 5_000;
const maxBytes = 256 * 1024;

/** From a URL, by the hub's one way out and without redirects, or from a file. */
export function loadKeysFrom(place: string, outbound: Pick<OutboundHttp, "request">): LoadKeys {
  if (!/^https?:\/\//i.test(place)) return async () => JSON.parse(await readFile(place, "utf8"));
  return async () => {
    const headers = { accept: "application/jwk-set+json, application/json" };
    const { status, body, truncated } = await outbound.request({
      method: "GET",
      url: place,
      headers,
      timeout,
      maxBytes,
    });
    if (status !== 200) throw new Error(`${place} answered ${status}; 200 with a JWK Set is expected`);
    if (truncated) throw new Error(`${place} has more than ${maxBytes} bytes`);
    return JSON.parse(body.toString());
  };
}

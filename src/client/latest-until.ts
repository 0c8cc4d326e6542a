import { request } from "undici";
import { authorizationOf } from "./token-source.ts";

/**
 * Where the interval of a channel's latest change notification ended, as it is written there: the `from` of the next one
 * (change notification 1.0.1 §3). `undefined` where the channel is empty, cannot be asked, or its latest has no interval.
 */
export async function latestUntil(url: string | URL, token: string | undefined): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(url, {
      headers: { accept: "application/xml", ...(await authorizationOf(token)) },
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    const text = await body.text();
    return statusCode === 200 ? /<[^<>]*\suntil\s*=\s*["']([^"'<>]+)["']/.exec(text)?.[1] : undefined;
  } catch {
    return undefined;
  }
}

import { parseLinkHeader } from "../protocol/link-header.ts";
import { authorizationOf, type TokenSource } from "./token-source.ts";
import { type Fetched, fetchDocument } from "./fetch-document.ts";

export type Discovery =
  | {
      readonly kind: "found";
      /** At least one, as the topic lists them. */
      readonly hubs: readonly [string, ...string[]];
      /** The canonical URL of the topic: the one to subscribe to (WebSub §5.1). */
      readonly self: string;
    }
  | { readonly kind: "none"; readonly reason: string; readonly mayRetry: boolean };

const timeout = 30_000;
/** Only headers are looked at. */
const maxBytes = 50_000_000;

interface DiscoverOptions {
  readonly signal?: AbortSignal | undefined;
  /** For a topic of a private set. */
  readonly token?: TokenSource | undefined;
}

/** Which hubs a topic names, and how it calls itself, by its `Link` headers (WebSub §4). Follows redirects. Never throws. */
export async function discoverHub(
  topic: string | URL,
  { signal, token }: DiscoverOptions = {},
): Promise<Discovery> {
  const authorization = await authorizationOf(token);
  const ask = (method: "GET" | "HEAD"): Promise<Fetched> =>
    fetchDocument(String(topic), {
      method,
      timeout,
      maxBytes,
      signal,
      authorization,
      mayVisit: (url) => /^https?:/.test(url),
      userAgent: "resourcesync-hub subscriber",
    });
  const head = discovered(String(topic), await ask("HEAD"));
  // Some servers answer HEAD with less than they answer GET.
  return head.kind === "found" ? head : discovered(String(topic), await ask("GET"));
}

function discovered(topic: string, answer: Fetched): Discovery {
  if (answer.kind === "failed") {
    return { kind: "none", reason: `${topic} cannot be read: ${answer.why}.`, mayRetry: true };
  }
  const { status, url, linkHeaders } = answer;
  if (status >= 400) {
    return { kind: "none", reason: `${topic} answers ${status}.`, mayRetry: status >= 500 || status === 429 };
  }
  const links = parseLinkHeader(linkHeaders).filter(
    ({ anchor }) => anchor === undefined || absolute(anchor, url) === url,
  );
  const targets = (rel: string): string[] =>
    links.filter(({ rels }) => rels.includes(rel)).flatMap(({ href }) => absolute(href, url) ?? []);
  const [first, ...others] = targets("hub");
  if (first === undefined) {
    const reason = `${topic} has no Link header with rel=hub (WebSub §4); give the hub's URL, or have the Source name its hub.`;
    return { kind: "none", reason, mayRetry: false };
  }
  return { kind: "found", hubs: [first, ...others], self: targets("self")[0] ?? topic };
}

/** As it was written where it is absolute already: `URL` would rewrite it, and the hub compares it. */
function absolute(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const { protocol, href: resolved } = new URL(href, base);
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  return /^https?:/i.test(href) ? href : resolved;
}

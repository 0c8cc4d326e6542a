import type { DiscoveredLinks } from "../protocol/discovered-links.ts";
import { discoverLinks } from "../protocol/discovered-links.ts";
import { originOf } from "../protocol/http-url.ts";
import type { OutboundAnswer } from "../security/http-exchange.ts";
import { isOutboundError } from "../security/outbound-errors.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import { type Validators, validatorHeaders, validatorsOf } from "./validators.ts";

export interface TopicContent {
  readonly kind: "content";
  /** Exactly as received. */
  readonly body: Buffer;
  /** With its parameters. */
  readonly contentType: string;
  readonly links: DiscoveredLinks;
  readonly validators: Validators | null;
}

type FetchedContent =
  | TopicContent
  /** What the validators are from is still the content. */
  | { readonly kind: "unchanged" }
  /** `reason` goes on after the name of the topic: "answered 404". It names origins only. */
  | { readonly kind: "failed"; readonly reason: string; readonly mayRetry: boolean }
  /** Called off by us. */
  | { readonly kind: "abandoned" };

export type FetchTopic = (url: string, validators: Validators | null) => Promise<FetchedContent>;

interface Parts {
  readonly outbound: Pick<OutboundHttp, "request">;
  /** Of the content, and the key of the configuration that says so. */
  readonly limit: { readonly bytes: number; readonly key: string };
  /** Whether a redirect may lead from one URL to another. */
  readonly mayLead: (from: string, to: string) => boolean;
  readonly abandon: AbortSignal;
  readonly now: () => number;
}

/** Milliseconds for everything, redirects included. */
const timeout = 15_000;
const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

const failed = (reason: string, mayRetry = true): FetchedContent => ({ kind: "failed", reason, mayRetry });

/** Fetches a topic's content, conditionally. Only a 200 is content: an error page is none. Never rejects because of the topic. */
export function fetchTopics({ outbound, limit, mayLead, abandon, now }: Parts): FetchTopic {
  return async (topic, validators) => {
    const deadline = now() + timeout;
    let url = topic;
    try {
      for (let hops = 0; ; hops += 1) {
        const answer = await outbound.request({
          method: "GET",
          url,
          headers: { accept: "*/*", "accept-encoding": "identity", ...validatorHeaders(validators, url) },
          timeout: Math.max(1, deadline - now()),
          maxBytes: limit.bytes,
          signal: abandon,
        });
        if (!redirects.has(answer.status)) return contentOf(url, answer, validators);
        const next = nextUrl(url, answer);
        if (next === undefined)
          return failed(`${originOf(url)} answered ${answer.status} without a URL to go to`);
        if (hops === maxRedirects) return failed(`it redirects more than ${maxRedirects} times`);
        // WebSub §6.1: a topic moves by redirects; but only to where the operator would look for it.
        if (!mayLead(url, next)) {
          return failed(
            `it redirects to ${originOf(next)}, where \`topics\` in the configuration admits none`,
            false,
          );
        }
        url = next;
      }
    } catch (error) {
      if (abandon.aborted) return { kind: "abandoned" };
      if (!isOutboundError(error)) throw error;
      return failed(error.message, error.mayRetry);
    }
  };

  function contentOf(url: string, answer: OutboundAnswer, before: Validators | null): FetchedContent {
    const { status, headers, body, truncated } = answer;
    if (status === 304 && before?.url === url) return { kind: "unchanged" };
    if (status !== 200) return failed(`${originOf(url)} answered ${status} instead of 200`, status !== 410);
    if (truncated) return failed(`it has more than ${limit.bytes} bytes (${limit.key})`, false);
    const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
    if (encoding !== "identity")
      return failed(`it comes as ${encoding}, which the hub did not ask for`, false);
    const contentType = sendable(headers["content-type"]);
    const links = discoverLinks({ url, linkHeader: headers["link"], contentType, body });
    return { kind: "content", body, contentType, links, validators: validatorsOf(url, headers) };
  }
}

function nextUrl(from: string, { headers }: OutboundAnswer): string | undefined {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const next = new URL(location, from);
  next.hash = "";
  return next.href;
}

/** What can be sent on as a header; without a type, a client may not guess one (RFC 9110 §8.3). */
function sendable(contentType = ""): string {
  return /^[\t\u0020-\u007e]{1,1024}$/.test(contentType) ? contentType : "application/octet-stream";
}

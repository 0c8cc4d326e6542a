import { manifestIn } from "./packaged-manifest.ts";
import { parseDocument } from "../protocol/parse-document.ts";
import type { AcceptedProfile } from "../protocol/recognise-document.ts";
import { fetchDocument, type Fetched, type FetchWish } from "./fetch-document.ts";
import type { LinkToFollow } from "./links-to-follow.ts";
import { validateDocument } from "../protocol/validate-document.ts";
import { type Digest, digestOf, type Topic, type WalkedDocument } from "./walked-document.ts";

export interface Step extends Pick<LinkToFollow, "url" | "kind"> {
  readonly linkedFrom: string | null;
}

export interface Visit {
  readonly document: WalkedDocument;
  readonly digest: Digest | undefined;
  readonly topic: Topic | undefined;
  /** Of a package: the entries of its manifest, or why there is none. */
  readonly packaged: ReadonlySet<string> | string | undefined;
  /** Where the redirects led. */
  readonly finalUrl: string;
  /** Empty where nothing was read. */
  readonly payload: Uint8Array;
}

export const withoutFragment = (url: string): string => new URL(url).href.replace(/#.*$/s, "");

const nothing = new Uint8Array();

/** Not fetched, or in vain: `why` ends a sentence that begins with its name. */
export function unread({ url, linkedFrom, kind }: Step, redirects: readonly string[], why: string): Visit {
  const rest = { type: null, profile: null, valid: false, faults: [], redirects, error: why };
  const document = { url, linkedFrom, kind, ...rest };
  return {
    document,
    digest: undefined,
    topic: undefined,
    packaged: undefined,
    finalUrl: url,
    payload: nothing,
  };
}

function judged(
  { url, linkedFrom, kind }: Step,
  { body, redirects, url: last }: Extract<Fetched, { kind: "answer" }>,
  profile: AcceptedProfile,
): Visit {
  const finalUrl = withoutFragment(last);
  const outcome = parseDocument(body);
  const { valid, profile: found = null, faults } = validateDocument(body, { profile });
  const isRead = outcome.kind === "parsed";
  const type = isRead ? outcome.document.type : null;
  return {
    document: { url, linkedFrom, kind, type, profile: found, valid, faults, redirects },
    digest: isRead ? digestOf(url, finalUrl, outcome.document) : undefined,
    topic: undefined,
    packaged: undefined,
    finalUrl,
    payload: body,
  };
}

function packageVisit(
  { url, linkedFrom, kind }: Step,
  { body, redirects, url: finalUrl }: Extract<Fetched, { kind: "answer" }>,
  maxBytes: number,
): Visit {
  const manifest = manifestIn(body, maxBytes);
  const parsed = typeof manifest === "string" ? undefined : parseDocument(manifest);
  const packaged =
    parsed === undefined
      ? String(manifest)
      : parsed.kind === "parsed"
        ? digestOf(url, finalUrl, parsed.document).packed
        : "its manifest.xml cannot be read";
  const document = { url, linkedFrom, kind, type: null, profile: null, valid: true, faults: [], redirects };
  return { document, digest: undefined, topic: undefined, packaged, finalUrl, payload: nothing };
}

/** Fetches and judges what stands at one URL; a topic is asked for its headers only. Never throws. */
export async function visitDocument(
  step: Step,
  wish: Omit<FetchWish, "method">,
  profile: AcceptedProfile,
): Promise<Visit> {
  const { url, linkedFrom, kind } = step;
  const fetched = await fetchDocument(url, { ...wish, method: kind === "topic" ? "HEAD" : "GET" });
  const { redirects } = fetched;
  if (fetched.kind === "failed") return unread(step, redirects, fetched.why);
  if (kind === "topic") {
    const rest = { type: null, profile: null, valid: true, faults: [], redirects };
    const document = { url, linkedFrom, kind, ...rest };
    const topic = { url, answer: fetched };
    return {
      document,
      digest: undefined,
      topic,
      packaged: undefined,
      finalUrl: fetched.url,
      payload: nothing,
    };
  }
  if (fetched.status !== 200) return unread(step, redirects, `the server answers ${fetched.status}`);
  if (kind === "package") return packageVisit(step, fetched, wish.maxBytes);
  return judged(step, fetched, profile);
}

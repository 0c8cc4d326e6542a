import type { LinkToFollow } from "./links-to-follow.ts";
import { type Step, withoutFragment } from "./visit-document.ts";

/** A link that was not followed, and why: words that end a sentence beginning with its name. */
export interface SkippedLink {
  readonly url: string;
  readonly kind: LinkToFollow["kind"];
  readonly linkedFrom: string;
  readonly why: string;
  /** A limit was reached: the walk is not complete. False where the origin is another one. */
  readonly limit: boolean;
}

export interface FrontierLimits {
  readonly otherOrigins: boolean;
  readonly maxDocuments: number;
  /** Of all documents together. */
  readonly maxBytes: number;
  /** Milliseconds for the whole walk. */
  readonly timeout: number;
}

/** Where the walk has been, where it may go, and what it left out. */
export interface Frontier {
  readonly known: ReadonlySet<string>;
  readonly skipped: readonly SkippedLink[];
  mayVisit(url: string): boolean;
  /** The origin belongs to the Source too. */
  admit(url: string): void;
  countBytes(bytes: number): void;
  isOver(): boolean;
  /** Milliseconds until the walk ends; at least 1. */
  timeLeft(): number;
  /** The links that lead to something new, and may be followed. */
  stepsTo(links: readonly LinkToFollow[], linkedFrom: string): Step[];
}

export function createFrontier(first: readonly string[], limits: FrontierLimits): Frontier {
  const { otherOrigins, maxDocuments, maxBytes, timeout } = limits;
  const origins = new Set(first.map((url) => new URL(url).origin));
  const known = new Set(first);
  const skipped = new Map<string, SkippedLink>();
  const deadline = Date.now() + timeout;
  let bytes = 0;

  const mayVisit = (url: string): boolean => otherOrigins || origins.has(new URL(url).origin);
  function limitReached(): string | undefined {
    if (known.size >= maxDocuments) return `is beyond ${maxDocuments} documents; raise --max-documents`;
    if (bytes >= maxBytes) return `comes after ${maxBytes} bytes of documents`;
    return Date.now() >= deadline ? `comes after ${timeout / 1000} seconds of walking` : undefined;
  }
  function whyNot(url: string): Pick<SkippedLink, "why" | "limit"> | undefined {
    if (!mayVisit(url)) return { why: "is on another origin; follow it with --other-origins", limit: false };
    const why = limitReached();
    return why === undefined ? undefined : { why, limit: true };
  }
  return {
    known,
    get skipped() {
      return [...skipped.values()];
    },
    mayVisit,
    admit: (url) => void origins.add(new URL(url).origin),
    countBytes(more) {
      bytes += more;
    },
    isOver: () => Date.now() >= deadline,
    timeLeft: () => Math.max(1, deadline - Date.now()),
    stepsTo: (links, linkedFrom) =>
      links.flatMap((link) => {
        const url = withoutFragment(link.url);
        if (known.has(url)) return [];
        const reason = whyNot(url);
        if (reason !== undefined) {
          if (!skipped.has(url)) skipped.set(url, { url, kind: link.kind, linkedFrom, ...reason });
          return [];
        }
        known.add(url);
        return [{ url, kind: link.kind, linkedFrom }];
      }),
  };
}

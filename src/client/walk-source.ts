import type { AcceptedProfile } from "../protocol/recognise-document.ts";
import { checkSource } from "./check-source.ts";
import { inParallel } from "./in-parallel.ts";
import type { LinkToFollow } from "./links-to-follow.ts";
import { type Step, unread, type Visit, visitDocument, withoutFragment } from "./visit-document.ts";
import { createFrontier, type SkippedLink } from "./walk-frontier.ts";
import { type Digest, type SourceFinding, type WalkedDocument, weightOf } from "./walked-document.ts";

export interface WalkOptions {
  /** Follow links to other origins too; by default only those of the origin where the walk begins. */
  readonly otherOrigins?: boolean;
  /** Fetch the packages of dumps too, each up to 50 MB, and compare the manifests in them with those that stand outside (S11). */
  readonly packages?: boolean;
  /** Documents, topics and packages that are fetched at most; 200. */
  readonly maxDocuments?: number;
  /** Bytes of all documents together; 1 GB. */
  readonly maxBytes?: number;
  /** Milliseconds for the whole walk; ten minutes. */
  readonly timeout?: number;
  /** Milliseconds for one document; 30 seconds. */
  readonly documentTimeout?: number;
  readonly profile?: AcceptedProfile;
  /** Called when a document has been judged; `text` is empty for one that could not be read. */
  readonly onDocument?: (document: WalkedDocument, text: string) => void;
  readonly onProgress?: (progress: WalkProgress) => void;
  readonly signal?: AbortSignal;
}

export interface WalkProgress {
  readonly done: number;
  /** Known so far: grows while links are found. */
  readonly known: number;
  readonly url: string;
}

export interface Walk {
  /** In the order in which they were found, the nearest to the start first. */
  readonly documents: readonly WalkedDocument[];
  readonly findings: readonly SourceFinding[];
  readonly skipped: readonly SkippedLink[];
}

const concurrency = 4;
const defaults = {
  otherOrigins: false,
  packages: false,
  maxDocuments: 200,
  maxBytes: 1_000_000_000,
  timeout: 600_000,
  documentTimeout: 30_000,
};
/** ResourceSync 1.1 §7. */
const maxDocumentBytes = 52_428_800;
/** Entries that a walk remembers, some 300 MB. Lists beyond them are validated, but not compared. */
const maxRemembered = 1_000_000;

/** An origin stands for its Source Description (core 1.1 §6.3.2). */
function startOf(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new TypeError(`${JSON.stringify(url)} is no http(s) URL, such as https://example.org/`);
  }
  const { pathname, search, origin } = new URL(url);
  return pathname === "/" && search === "" ? `${origin}/.well-known/resourcesync` : withoutFragment(url);
}

/** Drops what does not fit in memory any more. */
function createMemory(): (digest: Digest) => Digest {
  let remembered = 0;
  return (digest) => {
    const weight = weightOf(digest);
    if (remembered + weight > maxRemembered)
      return { ...digest, resources: new Set(), packed: new Set(), changes: [], isWhole: false };
    remembered += weight;
    return digest;
  };
}

/**
 * Walks from a Source Description, a Capability List, or whatever ResourceSync document stands at `from`, through all
 * that it links to; validates each document, and checks what only several documents show. Never throws for what it
 * meets there; throws a `TypeError` where `from` is no http(s) URL.
 */
export async function walkSource(from: string, options: WalkOptions = {}): Promise<Walk> {
  const { documentTimeout, ...limits } = { ...defaults, ...options };
  const start = startOf(from);
  const wellKnown = `${new URL(start).origin}/.well-known/resourcesync`;
  const first = [...new Set([start, wellKnown])];
  const frontier = createFrontier(first, limits);
  const remember = createMemory();
  const visits: Visit[] = [];
  let done = 0;

  /** S15 tells of the well-known place, to which no link leads. */
  const isMissed = ({ document: { url, linkedFrom, error } }: Pick<Visit, "document">): boolean =>
    error !== undefined && linkedFrom === null && url !== start;

  async function take(step: Step): Promise<Visit> {
    const isStart = step.url === start;
    const wish = {
      timeout: Math.min(documentTimeout, frontier.timeLeft()),
      maxBytes: maxDocumentBytes,
      mayVisit: (url: string) => isStart || frontier.mayVisit(url),
      signal: options.signal,
    };
    const { digest, payload, ...visited } = frontier.isOver()
      ? unread(step, [], `the ${limits.timeout / 1000} seconds of the walk were over`)
      : await visitDocument(step, wish, options.profile ?? "auto");
    // Whoever begins at http:// and is led to https:// means the place where that leads.
    if (isStart) frontier.admit(visited.finalUrl);
    frontier.countBytes(payload.byteLength);
    done += 1;
    if (!isMissed(visited)) options.onDocument?.(visited.document, Buffer.from(payload).toString("utf8"));
    options.onProgress?.({ done, known: frontier.known.size, url: step.url });
    return {
      ...visited,
      digest: digest === undefined ? undefined : remember(digest),
      payload: new Uint8Array(),
    };
  }

  const wanted = (links: readonly LinkToFollow[]): LinkToFollow[] =>
    links.filter(({ kind }) => limits.packages || kind !== "package");
  let level: Step[] = first.map((url) => ({ url, kind: "document", linkedFrom: null }));
  while (level.length > 0) {
    const visited = await inParallel(level, concurrency, take);
    visits.push(...visited);
    level = visited.flatMap(({ digest }) =>
      digest === undefined ? [] : frontier.stepsTo(wanted(digest.linksTo), digest.url),
    );
  }
  const { skipped } = frontier;
  const documents = visits.filter((visit) => !isMissed(visit)).map(({ document }) => document);
  const isComplete =
    skipped.every(({ kind }) => kind !== "document") &&
    documents.every(({ kind, error }) => kind !== "document" || error === undefined);
  const findings = checkSource({ start, wellKnown, visits, isComplete });
  return { documents, findings, skipped };
}

import type { Fault, Severity } from "../protocol/fault.ts";
import type { Instant } from "../protocol/instant.ts";
import type {
  DocumentEntry,
  DocumentLink,
  Metadata,
  TypedDocument,
  TypeName,
} from "../protocol/typed-document.ts";
import type { Fetched } from "./fetch-document.ts";
import { type LinkToFollow, linksToFollow } from "./links-to-follow.ts";

/** What was found out about one URL. */
export interface WalkedDocument {
  readonly url: string;
  /** The document that links to it; `null` for the first ones. */
  readonly linkedFrom: string | null;
  /** A channel's topic is only asked for its headers; of a package only the manifest is read. */
  readonly kind: "document" | "topic" | "package";
  /** `null` where it could not be read. */
  readonly type: TypeName | null;
  readonly profile: string | null;
  readonly valid: boolean;
  readonly faults: readonly Fault[];
  /** Every URL that answered with a redirect on the way. */
  readonly redirects: readonly string[];
  /** Only where it could not be read: words that end a sentence beginning with its name. */
  readonly error?: string;
}

/** Something that only several documents together show. */
export interface SourceFinding {
  /** `sourceRuleFacts` tells what it demands. */
  readonly rule: string;
  readonly severity: Severity;
  /** What is wrong, what to do, and the section that says so. */
  readonly message: string;
  /** The document to mend. */
  readonly url: string;
}

export interface ListedChange {
  readonly loc: string;
  readonly change: string | undefined;
  readonly at: Instant | undefined;
}

/** What the rules across documents need to know of one: the entries of long lists only in brief. */
export interface Digest {
  readonly url: string;
  /** Where the redirects led. */
  readonly finalUrl: string;
  readonly type: TypeName;
  readonly metadata: Metadata | undefined;
  readonly links: readonly DocumentLink[];
  /** Of documents whose entries are documents; none of resource and change lists. */
  readonly entries: readonly DocumentEntry[];
  /** Of a Resource List. */
  readonly resources: ReadonlySet<string>;
  /** Of a manifest: what it says is in the package, an entry each. */
  readonly packed: ReadonlySet<string>;
  /** Of a Change List, in its order. */
  readonly changes: readonly ListedChange[];
  readonly linksTo: readonly LinkToFollow[];
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  /** False where the walk could not remember its entries. */
  readonly isWhole: boolean;
}

export interface Topic {
  readonly url: string;
  readonly answer: Fetched;
}

/** Everything that a walk has seen. */
export interface WalkedSource {
  /** Where the walk began. */
  readonly start: string;
  /** `/.well-known/resourcesync` of that origin. */
  readonly wellKnown: string;
  readonly digests: readonly Digest[];
  readonly topics: readonly Topic[];
  /** By the URL that dumps name: the entries of the manifest inside, or words that say why it could not be read. */
  readonly packages: ReadonlyMap<string, ReadonlySet<string> | string>;
  /** By the URL that links name, and by the one that redirects led to. */
  readonly find: (url: string) => Digest | undefined;
  /** Whether every linked document was read, topics aside: what is missing cannot be called a fault. */
  readonly isComplete: boolean;
}

const listsOfResources = new Set<TypeName>([
  "resource-list",
  "change-list",
  "change-notification",
  "resource-dump-manifest",
  "change-dump-manifest",
]);

export function digestOf(url: string, finalUrl: string, document: TypedDocument): Digest {
  const { type, metadata, links, entries } = document;
  return {
    url,
    finalUrl,
    type,
    metadata,
    links,
    entries: listsOfResources.has(type) ? [] : entries,
    resources: new Set(type === "resource-list" ? entries.map(({ loc }) => loc) : []),
    changes:
      type === "change-list"
        ? entries.map(({ loc, metadata }) => ({
            loc,
            change: metadata?.change,
            at: metadata?.datetime?.instant,
          }))
        : [],
    packed: new Set(type.endsWith("-manifest") ? entries.map(packedEntry) : []),
    linksTo: linksToFollow(document),
    fetchedAt: Date.now(),
    isWhole: true,
  };
}

function packedEntry({ loc, metadata }: DocumentEntry): string {
  return [metadata?.change, loc, metadata?.path].filter((part) => part !== undefined).join(" ");
}

/** What a digest keeps of long lists, for the memory that a walk may take. */
export function weightOf({ entries, resources, changes, packed }: Digest): number {
  return entries.length + resources.size + changes.length + packed.size;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../src/protocol/fault.ts";
import {
  type AcceptedProfile,
  judgeNotification,
  type NotificationKind,
} from "../../src/protocol/judge-notification.ts";

const folder = join(import.meta.dirname, "../fixtures/documents");

export const fixturePath = (name: string): string => join(folder, name);

export const fixture = (name: string): Buffer => readFileSync(fixturePath(name));

/** The parts of a document that a test exchanges; what it leaves out is valid. */
export interface Parts {
  readonly before?: string;
  readonly root?: string;
  readonly namespaces?: string;
  readonly links?: string;
  readonly md?: string;
  readonly entries?: string;
}

export const up = '<rs:ln rel="up" href="https://maps.example.org/catalogue/capabilitylist.xml"/>';
export const loc = "<loc>https://maps.example.org/sheets/danube-1718</loc>";

const sitemap = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const rs = 'xmlns:rs="http://www.openarchives.org/rs/terms/"';

const assemble = (parts: Required<Parts>): string =>
  `${parts.before}<${parts.root} ${parts.namespaces}>${parts.links}${parts.md}${parts.entries}</${parts.root}>`;

const common = { before: "", root: "urlset", namespaces: `${sitemap} ${rs}`, links: up };

/** A change notification of a quarter of an hour from 2026-03-02T08:00:00Z on. */
export const change = (parts: Parts = {}): string =>
  assemble({
    ...common,
    md: '<rs:md capability="change-notification" from="2026-03-02T08:00:00Z" until="2026-03-02T08:15:00Z"/>',
    entries: `<url>${loc}<rs:md change="updated" datetime="2026-03-02T08:04:11Z"/></url>`,
    ...parts,
  });

export const framework = (parts: Parts = {}): string =>
  assemble({
    ...common,
    md: '<rs:md capability="framework-notification"/>',
    entries: `<url>${loc}<rs:md change="created" capability="resourcelist"/></url>`,
    ...parts,
  });

/** The forms of notification 0.8. */
export const change08 = (parts: Parts = {}): string =>
  assemble({
    ...common,
    md: "",
    entries: `<url>${loc}<lastmod>2026-03-02T08:04:11Z</lastmod><rs:md change="updated"/></url>`,
    ...parts,
  });
export const framework08 = (parts: Parts = {}): string => framework({ md: "", ...parts });

export function faultsOf(
  document: string | Uint8Array,
  as?: NotificationKind,
  profile: AcceptedProfile = "auto",
): readonly Fault[] {
  const verdict = judgeNotification(
    typeof document === "string" ? Buffer.from(document) : document,
    as,
    profile,
  );
  return verdict.kind === "valid" ? verdict.warnings : verdict.faults;
}

/** Rule ids in document order; a warning has a `?` behind it. */
export const idsOf = (faults: readonly Fault[]): string[] =>
  faults.map(({ rule, severity }) => (severity === "error" ? rule : `${rule}?`));

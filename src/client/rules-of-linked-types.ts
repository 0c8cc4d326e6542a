import { documentTypeOf } from "../protocol/document-type-name.ts";
import { targetsOf } from "./links-to-follow.ts";
import type { SourceComplaint, SourceRule } from "./source-rule.ts";
import type { Digest, WalkedSource } from "./walked-document.ts";

const capabilityOf = ({ type }: Digest): string | undefined =>
  type === "other" ? undefined : documentTypeOf(type).replace(" index", "");

function checkExpectations({ digests, find }: WalkedSource): SourceComplaint[] {
  const told = new Set<string>();
  return digests.flatMap((digest) =>
    digest.linksTo.flatMap(({ url, expected }) => {
      const target = find(url);
      if (target === undefined || expected === undefined) return [];
      const found = capabilityOf(target);
      if (found === expected || told.has(`${digest.url} ${target.url}`)) return [];
      told.add(`${digest.url} ${target.url}`);
      const is =
        found === undefined ? "that has no capability of ResourceSync" : `with capability="${found}"`;
      const says = `the link to ${url} promises capability="${expected}", but a document ${is} stands there; correct one of them`;
      return [{ url: digest.url, says }];
    }),
  );
}

function checkWellKnown({ wellKnown, digests, find }: WalkedSource): SourceComplaint[] {
  const there = find(wellKnown);
  if (there?.type.startsWith("source-description") === true) return [];
  const elsewhere = digests.find(({ type }) => type.startsWith("source-description"));
  if (there !== undefined) {
    return [
      { url: wellKnown, says: `a document of type "${there.type}" stands here, but no Source Description` },
    ];
  }
  return elsewhere === undefined
    ? [
        {
          url: wellKnown,
          says: "no Source Description was found, neither here nor by links; publish one here",
        },
      ]
    : [
        {
          url: wellKnown,
          severity: "warning",
          says: `the Source Description ${elsewhere.url} is not found from here; serve it here too, or redirect to it`,
        },
      ];
}

function checkIndexLinks({ digests, find }: WalkedSource): SourceComplaint[] {
  const indexOf = new Map<string, string>();
  for (const digest of digests.filter(({ type }) => type.endsWith("-index"))) {
    for (const { loc } of digest.entries) {
      const component = find(loc);
      if (component !== undefined) indexOf.set(component.url, digest.url);
    }
  }
  return notifications(digests).flatMap(({ url, entries }) =>
    entries.flatMap(({ loc, links }) => {
      const target = find(loc);
      if (target === undefined || target.type.endsWith("-index")) return [];
      const [index = indexOf.get(target.url)] = targetsOf(target.links, "index");
      if (index === undefined || targetsOf(links, "index").length > 0) return [];
      const says = `${loc} belongs to the index ${index}; add <rs:ln rel="index" href="${index}"/> to its entry`;
      return [{ url, says }];
    }),
  );
}

const notifications = (digests: readonly Digest[]): Digest[] =>
  digests.filter(({ type }) => type === "framework-notification");

/** What stands at the end of a link. */
export const rulesOfLinkedTypes: readonly SourceRule[] = [
  {
    id: "S05",
    severity: "error",
    sentence: "A framework notification names the index of a document that resides under one.",
    source: "Framework Notification 1.0.1 §2, §3",
    check: checkIndexLinks,
  },
  {
    id: "S06",
    severity: "error",
    sentence: "A framework notification names documents, not their indexes.",
    source: "Framework Notification 1.0.1 §2, §3",
    check: ({ digests, find }) =>
      notifications(digests).flatMap(({ url, entries }) =>
        entries
          .filter(({ loc }) => find(loc)?.type.endsWith("-index"))
          .map(({ loc }) => ({ url, says: `${loc} is an index; name the document in it that changed` })),
      ),
  },
  {
    id: "S15",
    severity: "error",
    sentence: "A Source has a Source Description, and serves it at /.well-known/resourcesync.",
    source: "ResourceSync 1.1 §6.3.2, §8",
    check: checkWellKnown,
  },
  {
    id: "S17",
    severity: "error",
    sentence: "What a link leads to has the capability that the link names.",
    source: "ResourceSync 1.1 §8, §9",
    check: checkExpectations,
  },
];

import { targetsOf } from "./links-to-follow.ts";
import type { SourceComplaint, SourceRule } from "./source-rule.ts";
import type { WalkedSource } from "./walked-document.ts";

function differenceOf(outside: ReadonlySet<string>, inside: ReadonlySet<string>): string | undefined {
  for (const entry of outside) if (!inside.has(entry)) return `only the manifest outside has ${entry}`;
  for (const entry of inside) if (!outside.has(entry)) return `only the manifest inside has ${entry}`;
  return undefined;
}

function checkManifests({ digests, packages, find }: WalkedSource): SourceComplaint[] {
  const dumps = digests.filter(({ type }) => type === "resource-dump" || type === "change-dump");
  return dumps.flatMap(({ entries }) =>
    entries.flatMap(({ loc, links }): SourceComplaint[] => {
      const inside = packages.get(loc);
      const [target] = targetsOf(links, "contents");
      const outside = target === undefined ? undefined : find(target);
      if (inside === undefined || outside === undefined || !outside.isWhole) return [];
      if (typeof inside === "string")
        return [{ url: loc, says: `${inside}; put the manifest into the package` }];
      const difference = differenceOf(outside.packed, inside);
      if (difference === undefined) return [];
      const says = `it is not what its manifest ${outside.url} says: ${difference}; write both from the same entries`;
      return [{ url: loc, says }];
    }),
  );
}

export const rulesOfPackages: readonly SourceRule[] = [
  {
    id: "S11",
    severity: "error",
    sentence: "A manifest behind a contents link matches the manifest.xml at the top level of the package.",
    source: "ResourceSync 1.1 §11.1, §13.1",
    check: checkManifests,
  },
];

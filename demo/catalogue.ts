import type { Change } from "../src/index.ts";
import { writeDocument } from "../src/protocol/write-document.ts";

/** What happens to the catalogue of a small map library in one morning: one notification for each line. */
const morning: readonly (readonly [change: "created" | "updated" | "deleted", path: string][])[] = [
  [["created", "maps/1675-ogilby-london-bristol"]],
  [
    ["updated", "maps/1746-rocque-london"],
    ["updated", "maps/1746-rocque-london/sheet-d2.jp2"],
  ],
  [["created", "maps/1815-smith-geology"]],
  [["updated", "maps/1675-ogilby-london-bristol"]],
  [["deleted", "maps/1801-duplicate-of-mudge-kent"]],
  [
    ["created", "maps/1889-booth-poverty/sheet-1.jp2"],
    ["created", "maps/1889-booth-poverty/sheet-2.jp2"],
    ["created", "maps/1889-booth-poverty"],
  ],
  [["updated", "maps/1815-smith-geology"]],
  [["updated", "maps/1854-snow-cholera"]],
  [["deleted", "maps/1931-beck-draft"]],
  [["created", "maps/1933-beck-underground"]],
  [["updated", "maps/1889-booth-poverty"]],
  [["updated", "maps/1933-beck-underground"]],
];

const origin = "https://maps.example.org";
const step = 60_000;

export const capabilityListUrl = `${origin}/capabilitylist.xml`;

export type PlannedNotification =
  | {
      readonly kind: "change-notification";
      readonly changes: readonly Change[];
      /** When the changes were collected. */
      readonly until: string;
      /** For the person who watches. */
      readonly summary: string;
    }
  | { readonly kind: "framework-notification"; readonly document: string; readonly summary: string };

/** The morning as changes that are collected every minute, and the framework notification that ends it. */
export function planMorning(begin: number): readonly PlannedNotification[] {
  const time = (milliseconds: number): string => new Date(begin + milliseconds).toISOString();
  const minutes = morning.map((entries, index): PlannedNotification => {
    const changes = entries.map(([change, path], place) => ({
      uri: `${origin}/${path}`,
      change,
      datetime: time(index * step + (place + 1) * 10_000),
    }));
    const [[change, path] = ["", ""]] = entries;
    const more = entries.length > 1 ? ` and ${entries.length - 1} more` : "";
    const summary = `${change} ${path}${more}`;
    return { kind: "change-notification", changes, until: time((index + 1) * step), summary };
  });
  const framework = writeDocument({
    links: [{ rel: "up", href: capabilityListUrl }],
    metadata: { capability: "framework-notification" },
    entries: [
      {
        loc: `${origin}/resourcelist.xml`,
        metadata: { change: "updated", capability: "resourcelist", datetime: time(morning.length * step) },
      },
    ],
  });
  return [
    ...minutes,
    { kind: "framework-notification", document: framework, summary: "updated the Resource List" },
  ];
}

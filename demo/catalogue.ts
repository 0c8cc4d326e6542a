import { formatInstant, type Instant, instantAt } from "../src/protocol/instant.ts";
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

export interface PlannedNotification {
  readonly kind: "change-notification" | "framework-notification";
  readonly document: string;
  /** For the person who watches. */
  readonly summary: string;
}

/** The morning as a series of change notifications with adjoining intervals, and the framework notification that ends it. */
export function planMorning(begin: number): readonly PlannedNotification[] {
  const time = (milliseconds: number): Instant => instantAt(begin + milliseconds);
  const up = { rel: "up", href: `${origin}/capabilitylist.xml` };
  const changes = morning.map((entries, index): PlannedNotification => {
    const [from, until] = [index * step, (index + 1) * step];
    const document = writeDocument({
      links: [up],
      metadata: {
        capability: "change-notification",
        from: formatInstant(time(from)),
        until: formatInstant(time(until)),
      },
      entries: entries.map(([change, path], place) => ({
        loc: `${origin}/${path}`,
        metadata: { change, datetime: formatInstant(time(from + (place + 1) * 10_000)) },
      })),
    });
    const [[change, path] = ["", ""]] = entries;
    const more = entries.length > 1 ? ` and ${entries.length - 1} more` : "";
    return { kind: "change-notification", document, summary: `${change} ${path}${more}` };
  });
  const framework = writeDocument({
    links: [up],
    metadata: { capability: "framework-notification" },
    entries: [
      {
        loc: `${origin}/resourcelist.xml`,
        metadata: {
          change: "updated",
          capability: "resourcelist",
          datetime: formatInstant(time(morning.length * step)),
        },
      },
    ],
  });
  return [
    ...changes,
    { kind: "framework-notification", document: framework, summary: "updated the Resource List" },
  ];
}

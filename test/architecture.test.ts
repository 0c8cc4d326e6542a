import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** Folders in the order to read the code in. A folder imports only folders above it. */
const folders = [
  "protocol",
  "security",
  "observability",
  "channels",
  "log",
  "resources",
  "publish",
  "watching",
  "topics",
  "subscriptions",
  "delivery",
  "live",
  "discovery",
  "operations",
  "dashboard",
  "http",
  "client",
  "cli",
];

/** What may not be imported although it stands above: publishing never knows who is delivered to. */
const apart: Record<string, readonly string[]> = {
  live: ["delivery", "subscriptions", "publish"],
  delivery: ["publish"],
  discovery: ["delivery", "subscriptions", "publish", "live"],
  operations: ["live", "publish"],
  client: [
    "security",
    "observability",
    "channels",
    "log",
    "publish",
    "subscriptions",
    "delivery",
    "live",
    "discovery",
    "http",
    "dashboard",
  ],
};

/** What two programs on either side of a connection share, and so knows neither of them. */
const shared = "operations/schemas/";

/** Library → the files that may import it. */
const homes: Record<string, RegExp> = {
  saxes: /^protocol\//,
  "fast-xml-parser": /^protocol\//,
  undici: /^(security|client)\//,
  express: /^http\//,
  ws: /^(live|client)\//,
  ioredis: /(^|\/)redis-[^/]+\.ts$/,
  bullmq: /(^|\/)bullmq-[^/]+\.ts$/,
  lmdb: /(^|\/)embedded-[^/]+\.ts$/,
  pino: /^observability\//,
  "pino-pretty": /^observability\//,
  "prom-client": /^observability\//,
  "ipaddr.js": /^security\//,
  jose: /^security\//,
  fflate: /^client\//,
  commander: /^cli\//,
  picocolors: /^cli\//,
  yaml: /^configuration\//,
};

const source = join(import.meta.dirname, "../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll("\\", "/"));
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), "utf8")]));

interface Import {
  readonly from: string;
  readonly to: string;
}
const imports: Import[] = files.flatMap((from) =>
  [...(texts.get(from) ?? "").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => ({
    from,
    to: match[1] ?? "",
  })),
);
const ours = imports
  .filter(({ to }) => to.startsWith("."))
  .map(({ from, to }) => ({ from, to: normalize(join(dirname(from), to)).replaceAll("\\", "/") }));
const folderOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "");
/** The composition root and the configuration stand above the table: they may see everything. */
const aboveTheTable = new Set(["", "configuration"]);

test("the check sees the code", () => {
  expect(files.length).toBeGreaterThan(40);
  expect(ours.length).toBeGreaterThan(100);
});

test("every folder has its place in the order", () => {
  const present = new Set(files.map(folderOf));
  for (const folder of present) expect([...folders, ...aboveTheTable]).toContain(folder);
});

test("a folder imports only folders above it", () => {
  const faults = ours.filter(({ from, to }) => {
    const [a, b] = [folderOf(from), folderOf(to)];
    if (a === b || aboveTheTable.has(a)) return false;
    if (a === "cli") return false;
    return (
      folders.indexOf(b) === -1 || folders.indexOf(b) > folders.indexOf(a) || (apart[a] ?? []).includes(b)
    );
  });
  expect(faults).toEqual([]);
});

test("a client knows of what operators do only its description, which is pure", () => {
  const known = ours.filter(({ from, to }) => folderOf(from) === "client" && folderOf(to) === "operations");
  expect(known.length).toBeGreaterThan(0);
  expect(known.filter(({ to }) => !to.startsWith(shared))).toEqual([]);
  const ofSchemas = ours.filter(({ from }) => from.startsWith(shared));
  expect(ofSchemas.filter(({ to }) => !to.startsWith(shared) && folderOf(to) !== "protocol")).toEqual([]);
});

test("each library has one home", () => {
  const faults = imports.filter(({ from, to }) => {
    const home = homes[to.startsWith("@") ? to.split("/").slice(0, 2).join("/") : (to.split("/")[0] ?? "")];
    return home !== undefined && !home.test(from);
  });
  expect(faults).toEqual([]);
});

test("the environment is read in one file", () => {
  const readers = files.filter((file) => (texts.get(file) ?? "").includes("process.env"));
  expect(readers).toEqual(["config.ts"]);
});

test("files are small, and none has a name that says nothing", () => {
  const lengths = files
    .map((file) => (texts.get(file) ?? "").split("\n").length - 1)
    .toSorted((a, b) => a - b);
  expect(lengths.at(-1)).toBeLessThanOrEqual(300);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(90);
  const vague = files.filter((file) =>
    /(^|\/)(utils?|helpers?|common|misc|manager|types|index)\.ts$/.test(file),
  );
  expect(vague).toEqual(["index.ts"]);
});

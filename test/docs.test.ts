import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { closeCodes } from "../src/live/close-codes.ts";
import { createMetrics } from "../src/observability/metrics.ts";
import { defaultLimits } from "../src/protocol/reading-limits.ts";
import { unknownTests } from "./support/named-tests.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));

const pages = ["README.md", "CHANGELOG.md", "SECURITY.md", ...filesBelow("docs", ".md")];
const operations = read("docs/operations.md");
const protocol = read("docs/protocol.md");

/** The first cell of each row of the tables below a heading, without code marks. */
function firstCells(page: string, heading: string): string[] {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| --"));
  return rows.map((row) => row.split(" | ")[0]?.replaceAll(/[|`]/g, "").trim() ?? "");
}

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every metric of the hub has a row in the operator's page, and every row is a metric", async () => {
  const named = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
  const own = named.filter((name) => !/^hub_(process|nodejs)_/.test(name));
  expect(own.length).toBeGreaterThan(10);
  expect(firstCells(operations, "Metrics").slice(1).toSorted()).toEqual(own.toSorted());
  const mentioned = new Set([...operations.matchAll(/\bhub_[a-z_]+[a-z]\b/g)].map(([name]) => name));
  for (const name of mentioned) expect([...own, "hub_process", "hub_nodejs"]).toContain(name);
});

test("every line that an event writes to the log is explained to the operator", () => {
  const sources = readdirSync(join(root, "src/observability")).filter((file) => file.endsWith("-events.ts"));
  const source = sources.map((file) => read(`src/observability/${file}`)).join("\n");
  const lines = [...source.matchAll(/log\.(debug|info|warn|error)\([^"`]*["`]([^"`]+)["`]/g)];
  expect(lines.length).toBeGreaterThan(15);
  const rows = operations.split("\n").filter((row) => /^\| (debug|info|warn|error) /.test(row));
  for (const [, level = "", line = ""] of lines) {
    const words = new RegExp(`\`${line.replaceAll(/\$\{[^}]*\}/g, "\\w+")}\``);
    expect(rows.find((row) => words.test(row)) ?? `no row: ${line}`).toContain(`| ${level} `);
  }
});

test("every close code is explained to those who write Destinations, and no other is promised", () => {
  const codes = firstCells(protocol, "Close codes").slice(1).map(Number);
  expect(new Set(codes)).toEqual(new Set(Object.values(closeCodes)));
  expect(new Set(codes).size).toBe(codes.length);
});

test("every family of rules is named, and the limits of our own are those that hold", () => {
  const sources = filesBelow("src/protocol", ".ts").map(read).join("\n");
  const ids = [...sources.matchAll(/"([A-Z]{1,3})\d\d"/g)];
  expect(ids.length).toBeGreaterThan(80);
  const named = firstCells(protocol, "The validator");
  for (const family of new Set(ids.map(([, family = ""]) => family))) expect(named).toContain(family);
  const { depth, attributes, valueLength, elements } = defaultLimits;
  const limits = { W01: depth, W02: attributes, W03: valueLength, W04: elements };
  for (const [id, limit] of Object.entries(limits)) {
    expect(protocol).toMatch(new RegExp(`\\| ${id} +\\| ${limit.toLocaleString("en")} `));
  }
});

test("every link from a page to a file or a heading of ours leads somewhere", () => {
  const broken: string[] = [];
  let seen = 0;
  for (const page of pages) {
    for (const [, target = ""] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      seen += 1;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page : join(dirname(page), file);
      const leads =
        existsSync(join(root, path)) && (anchor === undefined || anchorsOf(read(path)).includes(anchor));
      if (!leads) broken.push(`${relative(".", page)}: ${target}`);
    }
  }
  expect(seen).toBeGreaterThan(15);
  expect(broken).toEqual([]);
});

test("every row of what stops an attack names tests that are there, by their file and the beginning of their title", () => {
  const table = read("docs/security.md")
    .split(/^## /m)
    .filter((part) => part.includes("| test"));
  const rows = table.flatMap((part) =>
    part.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:attack|-)/.test(line)),
  );
  expect(rows.length).toBeGreaterThan(25);
  const cells = rows.map((row) => row.slice(2, -2).split(" | "));
  expect(cells.filter(({ length }) => length !== 3)).toEqual([]);
  expect(cells.flatMap(([, , named = ""]) => unknownTests(named))).toEqual([]);
});

test("a decision can be read in two minutes", () => {
  const decisions = filesBelow("docs/decisions", ".md");
  expect(decisions.length).toBeGreaterThan(5);
  for (const file of decisions) expect(`${read(file).split("\n").length < 60} ${file}`).toBe(`true ${file}`);
});

test("the first page shows how to start and how to test", () => {
  const readme = read("README.md");
  for (const command of ["npm ci && npm start", "npm ci && npm test"]) {
    expect(readme).toMatch(new RegExp(`^${command}$`, "m"));
  }
});

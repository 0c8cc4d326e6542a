import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** What stands before the colon of a test's title, as in "H6, w3c/websub #120: …". */
const named = /["`]((?:H\d+|w3c\/websub #\d+)(?:, (?:H\d+|w3c\/websub #\d+))*): /g;

const shownByTests = new Set(
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(root, "test", file), "utf8"))
    .flatMap((source) => [...source.matchAll(named)].flatMap(([, ids = ""]) => ids.split(", "))),
);

function rowsOfTable(): readonly string[] {
  const page = readFileSync(join(root, "docs/protocol.md"), "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith("WebSub\n")) ?? "";
  return [...section.matchAll(/^\| (H\d+) /gm)].map(([, id = ""]) => id);
}

const fromTo = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `H${from + index}`);

test("the table of WebSub has each requirement on a hub once, in order", () => {
  const ids = [fromTo(1, 26), fromTo(30, 35), fromTo(40, 50), fromTo(60, 75), fromTo(80, 84)].flat();
  expect(rowsOfTable()).toEqual(ids);
});

test("each row of the table is shown by a test that begins with its id", () => {
  expect(rowsOfTable().filter((id) => !shownByTests.has(id))).toEqual([]);
});

test("no test is named for a row that the table does not have", () => {
  const rows = new Set(rowsOfTable());
  expect([...shownByTests].filter((id) => id.startsWith("H") && !rows.has(id))).toEqual([]);
});

/** Issues of w3c/websub that leave something to the hub, and that a test can show. */
const openPoints = [4, 15, 17, 22, 47, 84, 119, 120, 122, 156, 171, 174, 177, 183];

test.each(openPoints)("what the hub does about w3c/websub #%i is shown by a test", (issue) => {
  expect(shownByTests).toContain(`w3c/websub #${issue}`);
});

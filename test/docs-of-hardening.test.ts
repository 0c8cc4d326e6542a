import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unknownTests } from "./support/named-tests.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/hardening.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:attack|-)/.test(line))
  .map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.trim()),
  );

test("every attack has a row with what stops it and a test", () => {
  expect(rows.length).toBeGreaterThan(45);
  for (const cells of rows) expect([cells[0], cells.length]).toEqual([cells[0], 3]);
});

test("every row names tests that exist, by their file and the beginning of their title", () => {
  expect(rows.flatMap(([, , named = ""]) => unknownTests(named))).toEqual([]);
});

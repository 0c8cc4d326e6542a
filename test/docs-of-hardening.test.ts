import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

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

test("every row names a test that exists, by its file and its title", () => {
  const missing = rows.filter(([, , named = ""]) => {
    const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(named) ?? [];
    return !existsSync(join(root, file)) || !readFileSync(join(root, file), "utf8").includes(`"${title}"`);
  });
  expect(missing).toEqual([]);
});

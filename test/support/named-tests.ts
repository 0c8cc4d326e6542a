import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Of tests and of groups of them, also of those for each row of a table; none where there is no such file. */
function titlesOf(file: string): string[] {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  const found = readFileSync(path, "utf8").matchAll(
    /(?:\b(?:test|describe)(?:\.\w+)*\(|\)\()\s*"((?:[^"\\]|\\.)*)"/g,
  );
  return [...found].map(([, title = ""]) => title);
}

/** Those of the tests that a cell names, one a line, which are not the beginning of a title in their file. */
export function unknownTests(cell: string): string[] {
  return cell.split("<br>").filter((named) => {
    const [, linked, quoted, title = ""] =
      /^(?:\[[^\]]+\]\(\.\.\/([^)]+)\)|`([^`]+)`): (.+)$/.exec(named.trim()) ?? [];
    const titles = titlesOf(linked ?? quoted ?? "");
    return title === "" || !titles.some((each) => each.startsWith(title));
  });
}

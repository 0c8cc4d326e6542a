import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { severitiesOf } from "../src/cli/explained-rule.ts";
import { documentTypeNames } from "../src/protocol/document-type-name.ts";
import { explainedRules } from "../src/protocol/explain-rule.ts";
import { reportOf, reportOfUnread } from "../src/protocol/validation-report.ts";
import { validateDocument } from "../src/protocol/validate-document.ts";
import { runCli } from "./cli/run-cli.ts";

const page = await readFile(join(import.meta.dirname, "../docs/validator.md"), "utf8");

/** The cells of the tables below a heading, without code marks. */
const rowsBelow = (heading: string): string[][] => {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| -"))
    .map((line) =>
      line
        .slice(2, -2)
        .split(" | ")
        .map((cell) => cell.trim()),
    );
};
const named = (cell = ""): string => cell.replaceAll("`", "");

const shown = [
  ...page.matchAll(/```xml\n([\s\S]*?)```\n\n```text\n\$ resourcesync-hub validate (\S+)\n([\s\S]*?)\n```/g),
];

describe("the five wrong documents", () => {
  test("are five", () => {
    expect(shown.length).toBe(5);
  });

  test.each(shown.map(([, document, name, output]) => ({ document, name, output })))(
    "$name is answered as the page says",
    async ({ document = "", name = "", output }) => {
      const directory = await mkdtemp(join(tmpdir(), "validator-page-"));
      try {
        await writeFile(join(directory, name), document);
        const ended = await runCli(["validate", join(directory, name)]);
        expect(ended.code).toBe(1);
        expect(ended.output.replaceAll(`${directory}/`, "").trimEnd()).toBe(output);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  );
});

test("the table of rules is that of the program, with severities and sources", () => {
  const rules = explainedRules().map((rule) => [rule.id, severitiesOf(rule), rule.sentence, rule.source]);
  const written = (cells: string[]): string => cells.join(" | ").replaceAll("\\", "");
  expect(rowsBelow("All rules").slice(1).map(written)).toEqual(rules.map(written));
});

test("every type has its name in the table of types", () => {
  const cells = rowsBelow("Types").slice(1);
  const names = cells.flatMap(([plain, , index]) => [plain, index?.split(",")[0]].map(named));
  expect(names.filter((name) => name !== "").toSorted()).toEqual([...documentTypeNames].toSorted());
});

test("every field of the JSON is explained, and no other is promised", () => {
  const rows = rowsBelow("JSON").map(([field]) => named(field));
  const report = reportOf("-", validateDocument(Buffer.from("no document")));
  const [fault] = report.faults;
  const fields = [
    ...Object.keys(report),
    ...Object.keys(reportOfUnread("-", "why")),
    ...Object.keys(fault ?? {}),
  ];
  expect(new Set(rows.filter((row) => row !== "field"))).toEqual(new Set(fields));
});

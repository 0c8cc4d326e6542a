import { expect, test } from "vitest";
import { createProgressBar } from "../../src/cli/progress-bar.ts";
import { but, capabilityList, textOf } from "../client/faulty-sources.ts";
import { goodSource, startSource } from "../client/source-server.ts";
import { runCli } from "./run-cli.ts";

test("--follow walks through a Source and says of each document that it is valid", async () => {
  await using source = await startSource(goodSource);
  const { code, output, errors } = await runCli(["validate", "--follow", source.origin]);
  expect(errors).toBe("");
  expect(code).toBe(0);
  expect(output).toContain(`✓ ${source.origin}${capabilityList}: valid capability-list, profile 1.0.1`);
  expect(output).toContain(`✓ ${source.origin}/topics/change: topic of a notification channel`);
  expect(output).toContain("10 documents, nothing wrong between them");
});

test("a fault between documents ends with 1: which document, which rule, what to do", async () => {
  const pages = but((good) => ({
    "/set/changelists.xml": textOf(good, "/set/changelists.xml").replace(/ until="[^"]*"/, ""),
  }));
  await using source = await startSource(pages);
  const { code, output } = await runCli(["validate", "--follow", source.origin]);
  expect(code).toBe(1);
  expect(output).toContain(`error S13  ${source.origin}/set/changelists.xml`);
  expect(output).toContain('its entry here lacks until="2026-03-02T10:00:00Z" (ResourceSync 1.1 §12.2)');
  expect(output).toContain("Rule S13: An entry of a Change List Index has until exactly when");
  expect(output).toContain("10 documents, 1 finding between them");
});

test("an invalid document is shown with its faults, and one that is missing ends with 2", async () => {
  const pages = but(() => ({
    "/set/manifest.xml": "<urlset>\n<url>",
    "/set/changelist-1.xml": { status: 410 },
  }));
  await using source = await startSource(pages);
  const { code, output } = await runCli(["validate", "--follow", source.origin]);
  expect(code).toBe(2);
  expect(output).toMatch(/^2:1 error X01$/m);
  expect(output).toContain("/set/changelist-1.xml: could not be read: the server answers 410");
  expect(output).toContain(`linked from ${source.origin}/set/changelists.xml`);
  expect(output).toContain("10 documents, 1 invalid, 1 could not be read");
});

test("--json prints documents, findings and what was skipped, and nothing else", async () => {
  await using source = await startSource(goodSource);
  const { code, output } = await runCli([
    "validate",
    "--follow",
    "--json",
    "--max-documents",
    "3",
    `${source.origin}${capabilityList}`,
  ]);
  expect(code).toBe(2);
  expect(JSON.parse(output)).toMatchObject({
    documents: [
      {
        url: `${source.origin}${capabilityList}`,
        linkedFrom: null,
        kind: "document",
        valid: true,
        faults: [],
      },
      { type: "source-description" },
      { type: "resource-list" },
    ],
    findings: [],
    skipped: expect.arrayContaining([expect.objectContaining({ limit: true })]),
  });
});

test("a start that is no URL, and a limit that is no number, are refused with what to write", async () => {
  const file = await runCli(["validate", "--follow", "list.xml"]);
  expect(file.code).toBe(2);
  expect(file.errors).toContain("give an http(s) URL, such as https://example.org/");
  const limit = await runCli(["validate", "--follow", "--max-documents", "all", "https://example.org/"]);
  expect(limit.code).not.toBe(0);
  expect(limit.errors).toContain("Write a whole number from 1 on.");
});

test("on a terminal progress is one line that is redrawn and goes away; elsewhere a plain line now and then", () => {
  const written: string[] = [];
  const write = (text: string): unknown => written.push(text);
  const bar = createProgressBar({ isTTY: true, columns: 60, write });
  bar.show(1, 4, "https://example.org/a/very/long/path/to/a/resourcelist.xml\u001B[31m");
  bar.show(2, 4, "https://example.org/b");
  bar.clear();
  bar.clear();
  expect(written[0]).toMatch(/^█{6}░{18} 1 of 4 {2}….*resourcelist\.xml$/);
  expect(written[0]?.length).toBeLessThan(60);
  expect(written.slice(1)).toEqual([
    "\r\u001B[2K",
    `${"█".repeat(12)}${"░".repeat(12)} 2 of 4  https://example.org/b`,
    "\r\u001B[2K",
  ]);
  const lines: string[] = [];
  const plain = createProgressBar({ write: (text) => lines.push(text) });
  for (let done = 1; done <= 60; done += 1) plain.show(done, 80, "x");
  plain.clear();
  expect(lines).toEqual(["25 of 80 documents\n", "50 of 80 documents\n"]);
});

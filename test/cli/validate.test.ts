import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fixture, fixturePath } from "../protocol/documents.ts";
import { runCli } from "./run-cli.ts";

const valid = fixturePath("change-notification.xml");
const other = fixturePath("capability-list.xml");
const missing = fixturePath("nowhere.xml");

test("valid documents end with 0, and each is named with its kind and profile", async () => {
  const { code, output } = await runCli(["validate", valid, fixturePath("framework-notification-0.8.xml")]);
  expect(code).toBe(0);
  expect(output).toContain(`✓ ${valid}: valid change-notification, profile 1.0.1`);
  expect(output).toContain("valid framework-notification, profile 0.8");
});

test("an invalid document ends with 1; the place is marked, the rule cited and a remedy named", async () => {
  const { code, output } = await runCli([
    "validate",
    "--profile",
    "1.0.1",
    fixturePath("change-notification-0.8.xml"),
  ]);
  expect(code).toBe(1);
  expect(output).toContain("invalid change-notification, profile 1.0.1, 3 errors, 2 warnings");
  expect(output).toMatch(/^2:1 error C01 {2}\/urlset$/m);
  expect(output).toMatch(/^ {2}2 \| <urlset xmlns=/m);
  expect(output).toMatch(/^ {6}\^$/m);
  expect(output).toContain("(Change Notification 1.0.1 §3)");
  expect(output).toContain("Rule CN04: Each entry has datetime");
});

test("a kind that is asked for is insisted upon", async () => {
  const { code, output } = await runCli(["validate", "--as", "framework-notification", valid]);
  expect(code).toBe(1);
  expect(output).toContain("but framework-notification is expected here");
});

test("what cannot be read ends with 2, and the others are still judged", async () => {
  const { code, output } = await runCli(["validate", missing, valid]);
  expect(code).toBe(2);
  expect(output).toContain(`${missing}: could not be read: there is no such file`);
  expect(output).toContain(`✓ ${valid}`);
});

test("--json prints an array with one element for each document", async () => {
  const { code, output } = await runCli(["validate", "--json", valid, other, missing]);
  expect(code).toBe(2);
  expect(JSON.parse(output)).toMatchObject([
    { file: valid, valid: true, type: "change-notification", profile: "1.0.1", because: null, faults: [] },
    { file: other, valid: true, type: "capability-list" },
    {
      file: missing,
      valid: false,
      type: null,
      profile: null,
      because: "unreadable",
      faults: [],
      error: "there is no such file",
    },
  ]);
});

test("an http URL is fetched, and a refusal of the server is told", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/good")
      response.setHeader("content-type", "application/xml").end(fixture("change-notification.xml"));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  try {
    const { code, output } = await runCli(["validate", `${base}/good`, `${base}/gone`]);
    expect(code).toBe(2);
    expect(output).toContain(`✓ ${base}/good: valid`);
    expect(output).toContain(`${base}/gone: could not be read: the server answers 404 Not Found`);
  } finally {
    server.close();
  }
});

test("- is standard input", async () => {
  const main = join(import.meta.dirname, "../../src/cli/main.ts");
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), main, "validate", "-"], {
    env: { PATH: process.env["PATH"], NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end("<urlset>\u001B[31m");
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  expect(code).toBe(1);
  expect(output).toContain("standard input: invalid");
  expect(output).not.toContain("\u001B");
});

test("the help names the types; a type or rule that does not exist ends with 2 and the names of those that do", async () => {
  const { code, output } = await runCli(["validate", "--help"]);
  expect(code).toBe(0);
  expect(output).toContain("resource-dump-manifest");
  const wrongType = await runCli(["validate", "--as", "changelist", valid]);
  expect([wrongType.code, wrongType.errors]).toEqual([2, expect.stringContaining("change-list,")]);
  const wrongRule = await runCli(["validate", "--explain", "CLI9"]);
  expect([wrongRule.code, wrongRule.errors]).toEqual([2, expect.stringContaining("CLI01, CLI02")]);
  const nothing = await runCli(["validate"]);
  expect([nothing.code, nothing.errors]).toEqual([2, expect.stringContaining("name a file")]);
});

test("--explain knows the rules between documents, and how they are checked", async () => {
  const { code, output } = await runCli(["validate", "--explain", "s13"]);
  expect(code).toBe(0);
  expect(output).toContain("S13  An entry of a Change List Index has until exactly when");
  expect(output).toContain("validate --follow");
});

test("--explain says what a rule demands and why, with a right and a wrong fragment", async () => {
  const { code, output } = await runCli(["validate", "--explain", "cn02"]);
  expect(code).toBe(0);
  expect(output).toContain("CN02  The top-level rs:md has both from and until.");
  expect(output).toContain("error; not asked under 0.8; warning under lenient");
  expect(output).toContain("Change Notification 1.0.1 §3");
  expect(output).toMatch(/this is right:\n {4}<rs:md [\s\S]*and this is wrong:\n {4}<rs:md /);
  const json: unknown = JSON.parse((await runCli(["validate", "--explain", "T12", "--json"])).output);
  expect(json).toMatchObject({ id: "T12", severity: "error", severities: { lenient: "error" } });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../src/config.ts";
import { knownKeys } from "../../src/configuration/known-keys.ts";
import { variables } from "../../src/configuration/overrides.ts";
import { writeConfig } from "../../src/configuration/written-config.ts";

const text = await readFile(join(import.meta.dirname, "../../docs/configuration.md"), "utf8");
const rows = text
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(" | ").map((cell) => cell.replaceAll(/^\| |`/g, "").trim()));

test("the page has a row for each key, and for nothing else", () => {
  const keys = rows.map(([key]) => key);
  expect(keys.length).toBeGreaterThan(50);
  expect(new Set(keys)).toEqual(new Set(knownKeys()));
  expect(new Set(keys).size).toBe(keys.length);
});

test("the page names each variable, and no other", () => {
  const named = new Set([...text.matchAll(/`(HUB_[A-Z_]+[A-Z])/g)].map(([, name]) => name));
  expect(named).toEqual(new Set(variables));
});

test("the defaults of the page are those that take effect", async () => {
  const { config, tokensToMake } = await loadConfig({
    flags: { data: import.meta.dirname },
    env: {},
    tokens: "read",
  });
  const written: unknown = parse(writeConfig(config, tokensToMake));
  const at = (key: string): unknown =>
    key.split(".").reduce<unknown>((value, part) => Object(value)[part], written);
  const checked = rows.filter(([key = ""]) =>
    /^(listen|delivery|leases|log|changeLists|limits|live|watching|logging|shutdown)\./.test(key),
  );
  expect(checked.length).toBeGreaterThan(15);
  const same = { "72h": "3d", "24h": "1d" } as Record<string, string>;
  for (const [key = "", , shown = ""] of checked) {
    expect({ [key]: at(key) }).toEqual({ [key]: parse(same[shown] ?? shown) });
  }
});

import { expect, test } from "vitest";
import { banner } from "../../src/cli/banner.ts";
import { startWorkplace } from "../configuration/load.ts";

const facts = { baseUrl: "http://127.0.0.1:4000", durability: "Everything survives." };
const text = "logging: { format: text }";

test("the start that makes the tokens shows them, with commands to try", async () => {
  await using workplace = await startWorkplace();
  const loaded = await workplace.load("");
  const shown = banner(loaded, facts);
  expect(shown).toContain(loaded.tokens?.publisher);
  expect(shown).toContain(loaded.tokens?.admin);
  expect(shown).toContain("npm run hub -- listen http://127.0.0.1:4000/sets/demo/change-notification\n");
  expect(shown).toContain("curl -N -H 'Accept: text/event-stream' http://127.0.0.1:4000/sets/demo/");
  expect(shown).toContain("Everything survives.");
});

test("a later start says where the tokens are, and shows none", async () => {
  await using workplace = await startWorkplace();
  const { tokens } = await workplace.load("");
  for (const yaml of [text, "logging: { format: json }"]) {
    const shown = banner(await workplace.load(yaml), facts);
    expect(shown).toContain(tokens?.file);
    expect(shown).not.toContain(tokens?.publisher);
    expect(shown).not.toContain(tokens?.admin);
  }
});

test("where logs go to a machine it is one line", async () => {
  await using workplace = await startWorkplace();
  await workplace.load("");
  const shown = banner(
    await workplace.load("logging: { format: json }\noutbound: { allow: [10.0.0.1] }"),
    facts,
  );
  expect(shown.split("\n")).toHaveLength(2);
  expect(shown).toContain("Calls out to: public addresses, 10.0.0.1");
});

test("a set that takes no 1.0.1 notification is not shown one", async () => {
  await using workplace = await startWorkplace();
  const shown = banner(await workplace.load(`sets: [{ id: old, profile: "0.8" }]\n${text}`), facts);
  expect(shown).toContain("/sets/old/change-notification");
  expect(shown).not.toContain("<urlset");
});

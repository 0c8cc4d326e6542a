import { expect, test } from "vitest";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { startWorkplace } from "../configuration/load.ts";
import { runCli } from "./run-cli.ts";

test.each(["publisher", "admin"])("the lines for hub.yaml let the new %s in", async (kind) => {
  await using workplace = await startWorkplace();
  const { code, output } = await runCli(["token", "new", "--kind", kind]);
  expect(code).toBe(0);
  const [, token = ""] = /^token: +(\S+)$/m.exec(output) ?? [];
  const [, yaml = ""] = /For hub\.yaml:\n\n([^]*?)\n\n/.exec(output) ?? [];
  const { config } = await workplace.load(yaml);
  const entitled = kind === "admin" ? config.admin : config.publishers[0];
  expect(entitled?.tokenSha256).toBe(tokenSha256(token));
  expect(output).toContain(`tokenSha256: ${tokenSha256(token)}\n`);
});

test("no two tokens are the same", async () => {
  const [first, second] = await Promise.all([runCli(["token", "new"]), runCli(["token", "new"])]);
  expect(first.output).not.toBe(second.output);
});

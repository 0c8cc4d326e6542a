import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startWorkplace } from "../configuration/load.ts";
import { runCli } from "./run-cli.ts";

const example = join(import.meta.dirname, "../../examples/hub.yaml");

test("config check ends with 0 for a good configuration, and leaves no trace", async () => {
  await using workplace = await startWorkplace();
  const { code, output, errors } = await runCli(["config", "check", "--data", workplace.data], {
    HUB_PORTS: "1",
  });
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(output).toBe(
    "Warning: The hub does not read the variable HUB_PORTS; did you mean HUB_PORT?\n" +
      "The configuration is good (defaults): sets demo; storage embedded.\n",
  );
  await expect(access(workplace.data)).rejects.toThrow("ENOENT");
});

test("config check ends with 1 for a wrong one, and says everything that is wrong", async () => {
  await using workplace = await startWorkplace();
  await workplace.load("");
  const { code, output, errors } = await runCli(["config", "check", "--config", dirname(workplace.file)]);
  expect({ code, output }).toEqual({ code: 1, output: "" });
  expect(errors).toContain("cannot be read: EISDIR");
});

test("what config print prints can be used as hub.yaml", async () => {
  await using workplace = await startWorkplace();
  const { code, output, errors } = await runCli(["config", "print", "--config", example]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const { config } = await workplace.load(output);
  expect(config.sets.map(({ id }) => id)).toEqual(["catalogue", "theses", "embargoed", "press", "archive"]);
  expect(config.leases.max).toBe(31 * 86_400);
});

test("config print shows of secrets only what they hash to", async () => {
  const secret = "a-secret-of-some-length";
  const { output } = await runCli(["config", "print"], {
    HUB_PUBLISHER_TOKEN: secret,
    HUB_ADMIN_TOKEN: secret,
  });
  expect(output).not.toContain(secret);
  expect(output.match(/tokenSha256: [\da-f]{64}/g)).toHaveLength(2);
});

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../../bench/harness/free-port.ts";
import { runCli } from "./run-cli.ts";

describe("the program", () => {
  test("says its version", async () => {
    const file = await readFile(join(import.meta.dirname, "../../package.json"), "utf8");
    const { version } = JSON.parse(file);
    expect(await runCli(["--version"])).toEqual({ code: 0, output: `${version}\n`, errors: "" });
  });

  test("helps with every command and with examples", async () => {
    const { code, output } = await runCli(["--help"]);
    expect(code).toBe(0);
    for (const command of ["serve", "validate", "publish", "listen", "config", "token", "healthcheck"])
      expect(output).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
    expect(output).toContain("Examples:");
  });

  test.each(["serve", "config check", "config print", "token new", "healthcheck"])(
    "helps with %s, with examples",
    async (command) => {
      const { code, output } = await runCli([...command.split(" "), "--help"]);
      expect(code).toBe(0);
      expect(output).toContain("Examples:");
    },
  );

  test.each([
    [["srve"], "(Did you mean serve?)"],
    [["serve", "--prot", "80"], "(Did you mean --port?)"],
    [["token", "new", "--kind", "king"], "Allowed choices are publisher, subscriber, admin."],
    [[], "Usage:"],
  ])("ends with 2 for %j, and says what is wrong", async (args, message) => {
    const { code, output, errors } = await runCli(args);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toContain(message);
  });

  test("serves nothing with a configuration that is wrong", async () => {
    const { code, output, errors } = await runCli(["serve", "--port", "x"]);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toBe(
      'The configuration has a fault:\n  --port: "x" stands here; expected a whole number from 0 to 65535\n',
    );
  });
});

describe("healthcheck", () => {
  test.each([
    { status: 200, code: 0 },
    { status: 503, code: 1 },
  ])("ends with $code where the hub answers $status", async ({ status, code }) => {
    const server = createServer((request, response) => {
      response.statusCode = status;
      response.end(`asked for ${request.url}\n`);
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    try {
      const ended = await runCli(["healthcheck"], { HUB_HOST: "0.0.0.0", HUB_PORT: String(port) });
      expect(ended.code).toBe(code);
      expect(ended.output + ended.errors).toBe(
        `http://127.0.0.1:${port}/readyz answered ${status}: asked for /readyz\n`,
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test("ends with 1 where nobody answers, and says why", async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const { code, errors } = await runCli(["healthcheck", "--url", url]);
    expect(code).toBe(1);
    expect(errors).toMatch(/readyz did not answer: .*ECONNREFUSED/);
  });
});

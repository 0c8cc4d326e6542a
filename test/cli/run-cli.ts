import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** Runs `resourcesync-hub` as a process of its own that sees no variable but `env`. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string> = {},
  /** Interrupted, as by Ctrl-C, when this has been printed. */
  until?: string,
): Promise<Ended> {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), main, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (data: Buffer) => {
    printed += data.toString();
    if (until !== undefined && printed.includes(until)) child.kill("SIGINT");
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [code, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output, errors };
}

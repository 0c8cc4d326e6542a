import { spawn } from "node:child_process";
import { get } from "node:https";
import { join } from "node:path";
import { waitUntil } from "./wait-until.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

export interface HubProcess extends AsyncDisposable {
  readonly output: () => string;
  /** Sends a signal and waits for the end; answers the exit code, `null` after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

/** The built program, run as a user runs it. Resolves when it is ready, or with what it said when it ended. */
export async function startHubProcess(
  file: string,
  port: number,
  environment: NodeJS.ProcessEnv = {},
  /** In blocks of 512 bytes: as on a full disk, no file grows beyond. */
  largestFile: number | "unlimited" = "unlimited",
  /** Where the hub speaks TLS: the certificate that it shows first. */
  ca?: string,
): Promise<HubProcess> {
  const limited = ["-c", `ulimit -f ${largestFile}; exec "$0" "$@"`, process.execPath, main];
  const child = spawn("/bin/sh", [...limited, "serve", "--config", file], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  child.stderr.on("data", (data: Buffer) => (text += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`the hub ended with ${child.exitCode}: ${text}`);
    const status = await (ca === undefined ? askPlainly(port) : askSecurely(port, ca));
    if (status !== 200) throw new Error(`/readyz answers ${status}`);
  }, 20);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  return {
    output: () => text,
    end,
    signal: (signal) => void child.kill(signal),
    ended,
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL");
    },
  };
}

const askPlainly = async (port: number): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/readyz`)).status;

const askSecurely = (port: number, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`https://127.0.0.1:${port}/readyz`, { ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });

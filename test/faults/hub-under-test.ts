import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readdir, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { own } from "../../bench/harness/own-processes.ts";
import { ask, holdsWithin } from "./control.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");
const clock = join(import.meta.dirname, "shifted-clock.mjs");

/** Seconds in which a hub must be ready again, on a machine that does other work too. */
const readyWithin = 60;

/** The built program, run as a user runs it, and whatever can happen to a process. */
export interface HubUnderTest {
  readonly port: number;
  /** Resolves when it is ready; answers after how many milliseconds. */
  start(): Promise<number>;
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  halt(): void;
  resume(): void;
  /** No file of the process may grow beyond so many bytes. */
  limitFiles(bytes: number | "unlimited"): Promise<void>;
  /** Its clock goes wrong by so many milliseconds. */
  shiftClock(milliseconds: number): Promise<void>;
  /** Open sockets (Linux only: 0 elsewhere). */
  sockets(): Promise<number>;
  /** Timers that keep the process alive. */
  timers(): Promise<number>;
}

export function hubUnderTest(directory: string, name: string, file: string, port: number): HubUnderTest {
  const log = createWriteStream(join(directory, `${name}.log`), { flags: "a" });
  const clockFile = join(directory, `${name}.clock`);
  let child: ChildProcess | undefined;
  const pid = (): number => child?.pid ?? 0;
  const isRunning = (): boolean =>
    child !== undefined && child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === undefined || !isRunning()) return child?.exitCode ?? null;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
    return child.exitCode;
  };
  const isReady = async (): Promise<boolean> => {
    if (!isRunning()) throw new Error(`the ${name} ended with ${child?.exitCode} while it started`);
    const answer = await ask(port, "/readyz", { timeout: 2000 }).catch(() => undefined);
    return answer?.status === 200;
  };
  return {
    port,
    async start() {
      const began = performance.now();
      const args = ["--import", clock, main, "serve", "--config", file];
      const env = { PATH: process.env["PATH"], SHIFTED_CLOCK_FILE: clockFile };
      child = own(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env }));
      for (const output of [child.stdout, child.stderr]) output?.pipe(log, { end: false });
      if (!(await holdsWithin(readyWithin, isReady)))
        throw new Error(`the ${name} was not ready within ${readyWithin} s`);
      return performance.now() - began;
    },
    async kill() {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
    halt: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    async limitFiles(bytes) {
      await promisify(execFile)("prlimit", ["--pid", String(pid()), `--fsize=${bytes}:unlimited`]);
    },
    async shiftClock(milliseconds) {
      await writeFile(clockFile, String(milliseconds));
      child?.kill("SIGUSR2");
    },
    async sockets() {
      const folder = `/proc/${pid()}/fd`;
      const names = await readdir(folder).catch(() => []);
      const targets = await Promise.all(names.map((fd) => readlink(join(folder, fd)).catch(() => "")));
      return targets.filter((target) => target.startsWith("socket:")).length;
    },
    async timers() {
      const { body } = await ask(port, "/metrics");
      return Number(/^hub_nodejs_active_resources\{type="Timeout"\} (\d+)$/m.exec(body)?.[1] ?? 0);
    },
  };
}

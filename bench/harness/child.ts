import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { own } from "./own-processes.ts";

/** What a child can be asked: by name, with an argument and an answer that are JSON. */
export type Handlers = Readonly<Record<string, (argument: never) => unknown>>;

interface Question {
  readonly number: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Reply {
  readonly number: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

export interface Child<Answers extends Handlers> extends AsyncDisposable {
  readonly pid: number;
  ask<Name extends keyof Answers & string>(
    name: Name,
    argument: Parameters<Answers[Name]>[0],
  ): Promise<Awaited<ReturnType<Answers[Name]>>>;
}

/** Runs in the child: answers what the bench asks, until the bench is gone. */
export function answer(handlers: Handlers): void {
  process.on("message", ({ number, name, argument }: Question) => {
    void Promise.resolve()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are this bench's
      .then(() => handlers[name]?.(argument as never))
      .then(
        (given) => process.send?.({ number, answer: given }),
        (error: unknown) => process.send?.({ number, fault: String(error) }),
      );
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ number: 0 });
}

/** Starts a program of the bench in a process of its own. `file` calls `answer`. */
export async function startChild<Answers extends Handlers>(
  file: string,
  args: readonly string[] = [],
): Promise<Child<Answers>> {
  const child = own(fork(file, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  let asked = 0;
  const waiting = new Map<number, (reply: Reply) => void>();
  const ready = new Promise<Reply>((resolve) => waiting.set(0, resolve));
  child.on("message", (reply: Reply) => {
    waiting.get(reply.number)?.(reply);
    waiting.delete(reply.number);
  });
  child.once("exit", (code) => {
    for (const [number, settle] of waiting) settle({ number, fault: `${file} ended with ${code}` });
  });
  const { fault: began } = await ready;
  if (began !== undefined) throw new Error(began);
  return {
    pid: pidOf(child),
    async ask(name, argument) {
      asked += 1;
      const number = asked;
      const replied = new Promise<Reply>((resolve) => waiting.set(number, resolve));
      child.send({ number, name, argument } satisfies Question);
      const { answer: given, fault } = await replied;
      if (fault !== undefined) throw new Error(fault);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are this bench's
      return given as never;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("the process could not be started");
  return pid;
}

interface Usage {
  /** Bytes. */
  readonly resident: number;
  /** Of these, what is the process's own: without pages of files, such as those of the embedded store. Bytes. */
  readonly anonymous: number;
  /** Milliseconds. */
  readonly cpu: number;
}

/** What a process takes (Linux only: 0 elsewhere). */
export async function usageOf(pid: number): Promise<Usage> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
    ]);
    const bytes = (line: RegExp): number => Number(line.exec(status)?.[1] ?? 0) * 1024;
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    // A tick is 10 ms on every Linux that Node runs on.
    return {
      resident: bytes(/^VmRSS:\s+(\d+)/m),
      anonymous: bytes(/^RssAnon:\s+(\d+)/m),
      cpu: (user + system) * 10,
    };
  } catch {
    return { resident: 0, anonymous: 0, cpu: 0 };
  }
}

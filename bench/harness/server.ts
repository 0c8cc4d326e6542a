import { join } from "node:path";
import type { BaselineServer } from "../baselines/ws-loop.ts";
import type { Target } from "../load/target.ts";
import { startChild } from "./child.ts";
import { type HubOptions, startHubUnderTest, token } from "./hub-under-test.ts";

/** What the same load is put on: our hub, or a baseline. */
export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly target: Target;
}

export const fileOf = (path: string): string => join(import.meta.dirname, "..", path);

/** A program of bench/baselines in a process of its own, which tells its port. */
export async function startBaseline(file: string, args: readonly string[] = []): Promise<Server> {
  const child = await startChild<BaselineServer>(fileOf(`baselines/${file}`), args);
  const port = await child.ask("port", undefined);
  return {
    pid: child.pid,
    target: { port, path: "/", token: "" },
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}

/** The hub as a server like the baselines. */
export async function startHubServer(options: HubOptions): Promise<Server> {
  const hub = await startHubUnderTest(options);
  const target = { port: hub.port, path: hub.path, token };
  return { pid: hub.pid, target, [Symbol.asyncDispose]: hub[Symbol.asyncDispose] };
}

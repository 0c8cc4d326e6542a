import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

/** Whatever ends the bench, a signal or a fault, ends what it has started. */
export function own<Process extends ChildProcess>(child: Process): Process {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

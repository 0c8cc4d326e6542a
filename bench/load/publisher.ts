import { type Answer, connectTo, type KeepAlive } from "./keep-alive.ts";
import type { Target } from "./target.ts";

/** Publishes over connections that stay open; a publication waits until one of them is free. */
export interface Publisher {
  /** Throws where it was not accepted. */
  publish(request: Buffer): Promise<Answer>;
  close(): void;
}

/** Where there are several targets, they take turns. */
export async function openPublisher(targets: readonly Target[], connections: number): Promise<Publisher> {
  const ports = Array.from({ length: connections }, (_, index) => targets[index % targets.length]?.port ?? 0);
  const all = await Promise.all(ports.map(connectTo));
  const free: KeepAlive[] = [...all];
  const waiting: ((connection: KeepAlive) => void)[] = [];

  function giveBack(connection: KeepAlive): void {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  }

  return {
    async publish(request) {
      const connection = free.shift() ?? (await new Promise<KeepAlive>((resolve) => waiting.push(resolve)));
      const answer = await connection.send(request);
      giveBack(connection);
      if (answer.status >= 300) throw new Error(`the server answered ${answer.status}: ${answer.body}`);
      return answer;
    },
    close() {
      for (const connection of all) connection.close();
    },
  };
}

/** Runs `work` for each number from 0, `width` at a time; resolves with the milliseconds that it took. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const began = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return performance.now() - began;
}

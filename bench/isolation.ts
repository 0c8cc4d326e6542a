/**
 * What one dead callback (connections refused), one that stalls (never answers) and one that is slow (answers after 2 s) cost the
 * others: from the publication to the arrival at 97 callbacks, with and without the three. Each callback is an origin of its own.
 *
 *   npx tsx bench/isolation.ts [rounds] [notifications a second] [--redis]
 */
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startRedisServer } from "../test/support/redis-server.ts";
import { startDelivering } from "./delivering.ts";
import { median } from "./median.ts";

const others = 97;
const secondsOfRound = 8;
const clock = (): number => performance.timeOrigin + performance.now();

/** How the three behave: like the others, or badly. */
type Manners = "good" | "bad";

interface Latencies {
  readonly median: number;
  readonly p99: number;
}

/** The receiving process: a server for each callback; tells the ports, and later how long the others' deliveries took. */
async function receive(manners: Manners, expected: number): Promise<void> {
  const milliseconds: number[] = [];
  const listen = async (behave: (answer: () => void) => void, isMeasured: boolean): Promise<number> => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (isMeasured)
          milliseconds.push(clock() - Number.parseFloat(Buffer.concat(chunks).toString("latin1")));
        behave(() => response.writeHead(204).end());
        if (milliseconds.length === expected) process.send?.({ milliseconds });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    if (manners === "bad" && behave === dies) server.close();
    return address.port;
  };
  const answers = (answer: () => void): void => answer();
  const dies = (answer: () => void): void => answer();
  const stalls = manners === "good" ? answers : () => {};
  const dawdles = manners === "good" ? answers : (answer: () => void) => void setTimeout(answer, 2000);
  const ports = [];
  for (const one of [dies, stalls, dawdles]) ports.push(await listen(one, false));
  for (let number = 0; number < others; number += 1) ports.push(await listen(answers, true));
  process.send?.({ ports });
}

function numbersIn(message: unknown, name: string): number[] {
  const found: unknown = Object(message)[name];
  return Array.isArray(found) ? found.map(Number) : [];
}

async function roundOf(manners: Manners, perSecond: number, redis: string | undefined): Promise<Latencies> {
  const notifications = secondsOfRound * perSecond;
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const child = fork(import.meta.filename, ["--receive", manners, String(others * notifications)]);
  const told = (): Promise<unknown> => new Promise((resolve) => child.once("message", resolve));
  const ports = numbersIn(await told(), "ports");
  const hub = await startDelivering({ directory, redis, retry: [5000, 30_000] });
  for (const port of ports) await hub.subscribe(`http://127.0.0.1:${port}/`);

  const all = told();
  const began = clock();
  for (let number = 0; number < notifications; number += 1) {
    await sleep(Math.max(0, began + (number * 1000) / perSecond - clock()));
    await hub.publish(Buffer.alloc(2048, `${clock()} <urlset n="${number}"/>`));
  }
  const milliseconds = numbersIn(await all, "milliseconds").toSorted((a, b) => a - b);
  const [dead, stalling, slow] = ports.map((port) =>
    hub.delivery.origins().find(({ origin }) => origin === `http://127.0.0.1:${port}`),
  );
  const isBad = dead?.running === 0 && stalling?.running === 1 && slow?.limit !== undefined;
  if (manners === "bad" && !isBad) throw new Error("the three did not behave badly, so nothing was measured");
  await hub.close();
  child.kill();
  await rm(directory, { recursive: true });
  return {
    median: median(milliseconds),
    p99: milliseconds[Math.floor(milliseconds.length * 0.99)] ?? Number.NaN,
  };
}

async function compare(rounds: number, perSecond: number): Promise<void> {
  const redis = process.argv.includes("--redis") ? await startRedisServer() : undefined;
  const seen: Record<Manners, Latencies[]> = { good: [], bad: [] };
  // The first one warms up what both need.
  await roundOf("good", perSecond, redis?.url);
  for (let round = 0; round < rounds; round += 1) {
    for (const manners of round % 2 === 0 ? (["good", "bad"] as const) : (["bad", "good"] as const)) {
      seen[manners].push(await roundOf(manners, perSecond, redis?.url));
    }
  }
  await redis?.[Symbol.asyncDispose]();
  const figures = (manners: Manners): Latencies => ({
    median: median(seen[manners].map((one) => one.median)),
    p99: median(seen[manners].map(({ p99 }) => p99)),
  });
  const [good, bad] = [figures("good"), figures("bad")];
  const line = (name: string, one: Latencies): string =>
    `  ${name.padEnd(34)} median ${one.median.toFixed(1)} ms, p99 ${one.p99.toFixed(1)} ms`;
  console.log(
    `${perSecond} notifications of 2 KB a second to ${others} callbacks and 3 more, ${redis === undefined ? "embedded" : "Redis"} engine, medians of ${rounds}`,
  );
  console.log(line("all answer", good));
  console.log(line("one dead, one stalling, one slow", bad));
  const each = (manners: Manners): string => seen[manners].map((one) => one.median.toFixed(1)).join(", ");
  console.log(`  medians of the rounds, in their order: ${each("good")} and ${each("bad")} ms`);
  console.log(`  ratio ${(bad.median / good.median).toFixed(2)}, of p99 ${(bad.p99 / good.p99).toFixed(2)}`);
}

const numbers = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
if (process.argv.includes("--receive")) {
  await receive(process.argv.includes("bad") ? "bad" : "good", numbers[0] ?? 0);
} else {
  const [rounds = 3, perSecond = 10] = numbers;
  await compare(rounds, perSecond);
}

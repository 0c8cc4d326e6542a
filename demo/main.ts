// A hub, three Destinations, a morning in a map library, and a crash in the middle of it. Nothing leaves this machine.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pc from "picocolors";
import { newToken } from "../src/security/access-token.ts";
import { planMorning } from "./catalogue.ts";
import {
  callbackDestination,
  type Destination,
  eventStreamDestination,
  type Tell,
  webSocketDestination,
} from "./destinations.ts";
import { startHubs } from "./hubs.ts";
import { until } from "./processes.ts";
import { createSource, type PublishedNotification } from "./source.ts";

const onRedis = process.argv.includes("--redis");
const started = Date.now();
const colours: Record<string, (text: string) => string> = {
  Source: pc.cyan,
  Hub: pc.red,
  WebSocket: pc.green,
  SSE: pc.yellow,
  WebSub: pc.magenta,
};
const tell: Tell = (name, line) => {
  const seconds = ((Date.now() - started) / 1000).toFixed(2).padStart(6);
  console.log(`${pc.dim(seconds)} ${(colours[name] ?? pc.white)(name.padEnd(10))} ${line}`);
};

/** Fails with what is missing unless each Destination has exactly what was published, in order. */
function faultsOf(destination: Destination, published: readonly PublishedNotification[]): string[] {
  return ["change-notification", "framework-notification"].flatMap((kind) => {
    const expected = published
      .filter((notification) => notification.kind === kind)
      .map(({ document }) => document.trimEnd());
    const got = (destination.received.get(kind) ?? []).map((document) => document.trimEnd());
    const missing = expected.filter((document) => !got.includes(document)).length;
    if (missing > 0) return [`${destination.name} missed ${missing} of ${expected.length} on ${kind}`];
    const same =
      got.length === expected.length && got.every((document, index) => document === expected[index]);
    return same
      ? []
      : [`${destination.name} received ${kind} out of order or twice (${got.length} of ${expected.length})`];
  });
}

async function run(directory: string, ends: (() => Promise<unknown>)[]): Promise<string[]> {
  const token = newToken("publisher");
  const { baseUrl, hubs } = await startHubs({ directory, token, onRedis, ends, tell });
  const kinds = ["change-notification", "framework-notification"];
  const channels = kinds.map((kind) => `${baseUrl}/sets/catalogue/${kind}`);
  const destinations = [
    webSocketDestination(channels, tell),
    eventStreamDestination(channels, tell),
    await callbackDestination(channels, tell),
  ];
  ends.unshift(() => Promise.all(destinations.map((destination) => destination.close())));
  tell("WebSub", "both subscriptions confirmed");

  const plan = planMorning(Date.UTC(2026, 10, 20, 9));
  const crashAt = Math.floor(plan.length / 2);
  const publish = createSource(`${baseUrl}/sets/catalogue`, token);
  const published: PublishedNotification[] = [];
  let restarted: Promise<void> | undefined;
  for (const [index, planned] of plan.entries()) {
    const [victim] = hubs;
    if (index === crashAt && victim !== undefined) {
      tell("Hub", pc.bold(`kill -9 of ${victim.name}`));
      await victim.kill();
      restarted = pause(700)
        .then(() => victim.start())
        .then(() => tell("Hub", `${victim.name} runs again`));
    }
    const notification = await publish(planned);
    published.push(notification);
    tell("Source", `${planned.summary} → ${notification.position}`);
    await pause(120);
  }
  await restarted;

  // Claims of a process that was killed lapse after 15 s, and the reconciler looks every 10 s.
  const complete = () =>
    Promise.resolve(destinations.every((destination) => faultsOf(destination, published).length === 0));
  await until("the last delivery", 40, complete).catch(() => {});
  console.log();
  for (const destination of destinations) {
    const count = [...destination.received.values()].reduce((sum, documents) => sum + documents.length, 0);
    const faults = faultsOf(destination, published);
    console.log(
      `${faults.length === 0 ? pc.green("✔") : pc.red("✘")} ${destination.name.padEnd(10)} ${count} of ${published.length} notifications, in order`,
    );
  }
  return destinations.flatMap((destination) => faultsOf(destination, published));
}

const directory = await mkdtemp(join(tmpdir(), "hub-demo-"));
const ends: (() => Promise<unknown>)[] = [];
try {
  const faults = await run(directory, ends);
  for (const fault of faults) console.log(pc.red(fault));
  if (faults.length === 0)
    console.log(pc.green("Every Destination got every notification, in order, across the crash."));
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(pc.red(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
} finally {
  for (const end of ends) await end();
  await rm(directory, { recursive: true, force: true });
}

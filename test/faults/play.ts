import type { Callback } from "./callbacks.ts";
import { holdsWithin, pause } from "./control.ts";
import { haveCaughtUp, isGood, restless, startCallbacks, startReaders } from "./destinations.ts";
import { inject, type Scene } from "./inject.ts";
import type { Reader } from "./live-readers.ts";
import type { Loss, Observed } from "./observed.ts";
import type { Plan } from "./plan.ts";
import { type Publishers, startPublishers } from "./publishers.ts";
import { createRandom } from "./random.ts";
import { readLog } from "./read-log.ts";
import { subscribeAll } from "./subscribers.ts";
import { channelPath, publisherToken, type World } from "./world.ts";

/** Everything that a round saw until everybody had what is theirs, or should have had it. */
export interface Played {
  readonly observed: Observed;
  readonly callbacks: readonly Callback[];
  readonly readers: readonly Reader[];
  readonly publishers: Publishers;
  /** Whether each publisher had its last answer in time. */
  readonly wereAnswered: boolean;
  /** Milliseconds, of each start of a hub. */
  readonly starts: readonly number[];
  /** Exit codes of orderly stops. */
  readonly stops: readonly (number | null)[];
}

/** In which everybody must have everything after the last fault. Seconds. */
const catchUpWithin = 60;

/** Of the readers, the one that breaks off by itself. */
export const restlessReader = 1;

/** Publishes to hubs that run already, injects the faults of the plan, and waits until everybody has caught up. */
export async function play(world: World, plan: Plan): Promise<Played> {
  const random = createRandom(plan.seed + 1);
  const [starts, stops, losses]: [number[], (number | null)[], Loss[]] = [[], [], []];
  const callbacks = await startCallbacks(plan.seed);
  for (const callback of callbacks) world.defer(() => callback[Symbol.asyncDispose]());
  const [dead, alive] = [callbacks.filter(isDead), callbacks.filter((callback) => !isDead(callback))];
  await subscribeAll(world, callbacks);
  await Promise.all(dead.map((callback) => callback.die()));
  const readers = startReaders(world);
  for (const reader of readers) world.defer(() => reader.close());
  await holdsWithin(5, () => readers.every(({ connections }) => connections() > 0));

  const ports = world.hubs.map(({ front }) => front.port);
  const publishers = startPublishers({ ...plan, ports, path: channelPath, token: publisherToken, random });
  world.defer(() => publishers.finish(0));
  const stayPut = restless(readers[restlessReader], random);
  world.defer(stayPut);
  await injectAll(plan, readers, {
    world,
    began: Date.now(),
    resubscribe: () => subscribeAll(world, alive),
    started: (milliseconds) => void starts.push(milliseconds),
    stopped: (code) => void stops.push(code),
    lost: (loss) => void losses.push(loss),
  });
  await pause(plan.rest);
  await Promise.all(callbacks.map((callback) => callback.calm()));
  stayPut();
  const wereAnswered = await publishers.finish(catchUpWithin);
  const log = await readLog(world.hubs[0].hub.port);
  await holdsWithin(catchUpWithin, () => haveCaughtUp(log, callbacks, readers));
  const observed = {
    publications: publishers.publications,
    log,
    callbacks: callbacks.filter(isGood),
    readers: readers.map(({ name, kind, events }) => ({ name, resumes: kind !== "plain", events })),
    faults: plan.faults.length,
    losses,
  };
  return { observed, callbacks, readers, publishers, wereAnswered, starts, stops };
}

const isDead = ({ kind }: Callback): boolean => kind === "dead";

async function injectAll({ faults }: Plan, readers: readonly Reader[], scene: Scene): Promise<void> {
  for (const fault of faults) {
    await pause(fault.after);
    await inject(scene, fault);
    // A reader notices for itself that nothing comes any more; here, at once.
    if (fault.kind === "clients-half-open") for (const reader of readers) reader.breakOff();
  }
}

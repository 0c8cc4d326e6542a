import { holdsWithin } from "./control.ts";
import { kindOf } from "./fault-kinds.ts";
import type { HubUnderTest } from "./hub-under-test.ts";
import { keptKeys, keptTables } from "./leftovers.ts";
import type { Violation } from "./observed.ts";
import type { Plan } from "./plan.ts";
import type { Played } from "./play.ts";
import { unsubscribeAll } from "./subscribers.ts";
import type { World } from "./world.ts";

interface Used {
  readonly sockets: number;
  readonly timers: number;
}

export interface ClearedUp {
  readonly violations: readonly Violation[];
  /** What the store holds in the end, by kind. */
  readonly kinds: ReadonlySet<string>;
}

/** In which what was used must be given back: a request of which no more comes has a minute (docs/operations.md). Seconds. */
const giveBackWithin = 75;
/** Requests that are under way have a timer each. */
const fewTimers = 3;
/** BullMQ's jobs that wait for their time. */
const wakeUp = /:wake-ups:(delayed$|#$|de:)/;

export const usedBy = async (hub: HubUnderTest): Promise<Used> => ({
  sockets: await hub.sockets(),
  timers: await hub.timers(),
});

/**
 * Ends all subscriptions, connections and hubs, and looks for what is left: sockets and timers against those of a fresh hub,
 * keys or tables against `undisturbed`, those of a hub to which nothing happened.
 */
export async function clearUp(
  world: World,
  plan: Plan,
  { callbacks, readers }: Played,
  {
    fresh,
    undisturbed,
  }: { readonly fresh: readonly Used[]; readonly undisturbed: ReadonlySet<string> | undefined },
): Promise<ClearedUp> {
  const violations: Violation[] = [];
  const leaked = (who: string, detail: string): void => {
    violations.push({ rule: "leaked", who, detail });
  };
  for (const reader of readers) reader.close();
  for (const url of await unsubscribeAll(world, callbacks, giveBackWithin))
    leaked("store", `${url} is still subscribed`);
  await Promise.all(callbacks.map((callback) => callback[Symbol.asyncDispose]()));
  for (const [index, { hub }] of world.hubs.entries()) {
    const before = fresh[index] ?? { sockets: 0, timers: 0 };
    const { sockets, timers } = await givenBack(hub, before);
    if (sockets > before.sockets) leaked("hub", `${sockets} sockets; fresh it had ${before.sockets}`);
    if (timers > before.timers + fewTimers) leaked("hub", `${timers} timers; fresh it had ${before.timers}`);
  }

  const mayStay = plan.faults.some(({ kind }) => kindOf(kind).leavesWakeUps === true);
  const tooMany = (kinds: ReadonlySet<string>): string[] =>
    undisturbed === undefined
      ? []
      : [...kinds].filter((kind) => !undisturbed.has(kind) && !(mayStay && wakeUp.test(kind)));
  let kinds = await keptKeys(world);
  await holdsWithin(giveBackWithin, async () => tooMany((kinds = await keptKeys(world))).length === 0, 200);
  for (const { hub } of world.hubs) {
    const code = await hub.stop();
    if (code !== 0)
      violations.push({ rule: "misbehaved", who: "hub", detail: `SIGTERM ended it with ${code}` });
  }
  if (world.redis === undefined) kinds = await keptTables(world.data);
  for (const kind of tooMany(kinds)) leaked("store", `${kind} is left over`);
  return { violations, kinds };
}

async function givenBack(hub: HubUnderTest, before: Used): Promise<Used> {
  let now = before;
  const isGivenBack = async (): Promise<boolean> => {
    now = await usedBy(hub);
    return now.sockets <= before.sockets && now.timers <= before.timers + fewTimers;
  };
  await holdsWithin(giveBackWithin, isGivenBack, 100);
  return now;
}

import { check } from "./check.ts";
import { checkConduct } from "./check-conduct.ts";
import { clearUp, usedBy } from "./clear-up.ts";
import type { Observed, Violation } from "./observed.ts";
import type { Plan } from "./plan.ts";
import { play } from "./play.ts";
import { openWorld } from "./world.ts";

export interface RoundResult {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly notifications: number;
  /** Taken by the callbacks that must have everything, and told to readers. */
  readonly deliveries: number;
  /** Of them, to callbacks; none is counted where the store forgot what it had delivered. */
  readonly repeats: number;
  /** 503s that publishers got. */
  readonly turnedAway: number;
  /** The longest that a hub took to be ready again. Milliseconds. */
  readonly slowestStart: number;
  readonly milliseconds: number;
  /** What the store held in the end, by kind. */
  readonly kinds: ReadonlySet<string>;
  /** The logs of the hubs, where something was violated. */
  readonly directory: string | undefined;
}

/** One round by its plan. `undisturbed`: kinds of keys or tables that a hub has to which nothing happened. */
export async function runRound(
  plan: Plan,
  undisturbed: ReadonlySet<string> | undefined,
): Promise<RoundResult> {
  const began = performance.now();
  await using world = await openWorld(plan);
  try {
    await Promise.all(world.hubs.map(({ hub }) => hub.start()));
    const fresh = await Promise.all(world.hubs.map(({ hub }) => usedBy(hub)));
    const played = await play(world, plan);
    const before = [...check(played.observed), ...checkConduct(plan, played)];
    const cleared = await clearUp(world, plan, played, { fresh, undisturbed });
    const violations = [...before, ...cleared.violations];
    if (violations.length > 0) world.keep();
    return {
      plan,
      violations,
      ...countsOf(played.observed),
      turnedAway: played.publishers.turnedAway(),
      slowestStart: Math.max(0, ...played.starts),
      milliseconds: performance.now() - began,
      kinds: cleared.kinds,
      directory: violations.length > 0 ? world.directory : undefined,
    };
  } catch (error) {
    world.keep();
    throw new Error(`the round could not be played to its end; the logs are in ${world.directory}`, {
      cause: error,
    });
  }
}

function countsOf({ log, callbacks, readers, losses }: Observed) {
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const taken = sum(callbacks.map((callback) => callback.taken.length));
  const distinct = sum(callbacks.map((callback) => new Set(callback.taken.map(({ digest }) => digest)).size));
  const told = sum(readers.map(({ events }) => events.filter(({ kind }) => kind === "notification").length));
  const repeats = losses.length > 0 ? 0 : taken - distinct;
  return { notifications: log.length, deliveries: taken + told, repeats };
}

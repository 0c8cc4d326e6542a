import { type EngineName, type FaultName, faultNames, kindOf } from "./fault-kinds.ts";
import { createRandom } from "./random.ts";

export interface PlannedFault {
  readonly kind: FaultName;
  /** Milliseconds after the publishers began, or after the fault before has ended. */
  readonly after: number;
  /** Milliseconds. */
  readonly lasts: number;
  /** The hub that it strikes, where there are two. */
  readonly hub: 0 | 1;
  /** For what else is left to chance in it. */
  readonly dice: number;
}

/** Everything about a round that is chosen. The machine adds its own timing: the same plan is not quite the same round. */
export interface Plan {
  readonly engine: EngineName;
  readonly seed: number;
  readonly hubs: 1 | 2;
  readonly fsync: "always" | "everysec";
  readonly publishers: number;
  /** Mean pause of a publisher between two notifications. Milliseconds. */
  readonly pace: number;
  readonly faults: readonly PlannedFault[];
  /** Milliseconds of publishing after the last fault. */
  readonly rest: number;
}

/** What may come second: nothing that needs another world than the first. */
const companions: readonly [FaultName, ...FaultName[]] = [
  "clients-cut",
  "hub-killed",
  "hub-stopped",
  "clients-half-open",
];

/** Seeds that follow one another go through all kinds of faults. */
export function planOf(engine: EngineName, seed: number, wanted?: FaultName): Plan {
  const random = createRandom(seed);
  const kinds = faultNames.filter(
    (name) => kindOf(name).engines.includes(engine) && kindOf(name).long !== true,
  );
  const first = wanted ?? kinds[seed % kinds.length] ?? "hub-killed";
  const { hubs = 1, fsync = "always" } = kindOf(first);
  const names = random.chance(0.4) ? [first, random.pick(companions)] : [first];
  const faults = names.map((kind): PlannedFault => {
    const [least, most] = kindOf(kind).lasts;
    return {
      kind,
      after: random.between(150, 700),
      lasts: random.between(least, most),
      hub: random.chance(0.5) ? 0 : 1,
      dice: random.between(0, 2 ** 31),
    };
  });
  const publishers = random.between(3, 6);
  const [pace, rest] = [random.between(2, 20), random.between(100, 400)];
  return { engine, seed, hubs, fsync, publishers, pace, faults, rest };
}

export function describePlan({ engine, seed, hubs, fsync, faults }: Plan): string {
  const what = faults
    .map(({ kind, after, lasts }) => `${kind} after ${after} ms for ${lasts} ms`)
    .join(", then ");
  const store = engine === "redis" ? `, ${hubs === 1 ? "one hub" : "two hubs"}, appendfsync ${fsync}` : "";
  return `${engine}, seed ${seed}${store}: ${what}`;
}

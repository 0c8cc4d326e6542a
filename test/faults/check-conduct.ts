import { goneAfter } from "./callbacks.ts";
import { kindOf } from "./fault-kinds.ts";
import type { Violation } from "./observed.ts";
import type { Plan } from "./plan.ts";
import { type Played, restlessReader } from "./play.ts";

/** A hub must be ready again in so many milliseconds, on a machine that does other work too. */
const slowStart = 30_000;

/** How the hub behaved beside what it delivered: answers, connections, starts and stops. */
export function checkConduct(plan: Plan, played: Played): Violation[] {
  const violations: Violation[] = [];
  const found = (who: string, detail: string): void => {
    violations.push({ rule: "misbehaved", who, detail });
  };
  const { publishers, wereAnswered, starts, stops, callbacks } = played;
  const { faults, losses, log } = played.observed;
  if (!wereAnswered) found("publishers", "one of them got no answer in the end");
  for (const fault of publishers.faults) found("publishers", fault);
  for (const { name, times } of endedConnections(plan, played))
    found(name, `its connection ended ${times} times`);
  for (const { name, kind, refusals } of callbacks) {
    // Subscribed anew, it is asked anew.
    if (kind !== "gone" || losses.length > 0 || log.length <= goneAfter) continue;
    if (refusals() === 0) found(name, "was never posted to so often that it answered 410");
    if (refusals() > 1 + faults) found(name, `got ${refusals() - 1} more after it had answered 410`);
  }
  for (const milliseconds of starts) {
    if (milliseconds > slowStart) found("hub", `ready after ${Math.round(milliseconds)} ms`);
  }
  for (const code of stops) if (code !== 0) found("hub", `SIGTERM ended it with ${code}`);
  return violations;
}

/** A fault behind the hub is none of its readers' business. */
function endedConnections(plan: Plan, { readers, observed }: Played) {
  if (plan.faults.some(({ kind }) => kindOf(kind).cutsReaders === true)) return [];
  return (
    readers
      .filter((_reader, index) => index !== restlessReader)
      // A plain one can be told of a gap in no other way.
      .filter(({ kind }) => kind !== "plain" || observed.losses.length === 0)
      .map(({ name, connections }) => ({ name, times: connections() - 1 }))
      .filter(({ times }) => times > 0)
  );
}

import type { CallbackSeen, Observed, Taken, Violation } from "./observed.ts";

/**
 * What one callback took, against the log: everything, in order, the same bytes, each under one id, and at most one repeat for
 * each fault. Where the store forgot something, what came before that may be missing, or come again under other positions.
 */
export function checkCallback(observed: Observed, { name, taken }: CallbackSeen): Violation[] {
  const violations: Violation[] = [];
  const found = (rule: Violation["rule"], detail: string): void => {
    violations.push({ rule, who: name, detail });
  };
  const { publications, log, faults, losses } = observed;
  const outcomes = new Map(publications.map(({ digest, outcome }) => [digest, outcome]));
  for (const { id, digest } of taken) {
    const outcome = outcomes.get(digest);
    if (outcome === undefined) found("altered", `nobody published what came as ${id}`);
    if (outcome === "refused") found("refused-delivered", `${id} had been refused`);
  }
  if (losses.length === 0) {
    for (const detail of clashingIds(taken)) found("another-id", detail);
    const repeats = taken.length - new Set(taken.map(({ digest }) => digest)).size;
    if (repeats > faults) found("repeated", `${repeats} repeats after ${faults} faults`);
  }

  const indices = new Map(log.map(({ digest }, index) => [digest, index]));
  // After a loss the last time counts: what came before it may stand at another place now.
  const ordered = losses.length === 0 ? taken : taken.toReversed();
  const once = [...new Set(ordered.map(({ digest }) => digest))].flatMap(
    (digest) => indices.get(digest) ?? [],
  );
  const got = losses.length === 0 ? once : once.toReversed();
  for (const [at, index] of got.entries()) {
    const before = got[at - 1];
    if (before !== undefined && index < before)
      found("reordered", `${log[index]?.position} came after ${log[before]?.position}`);
  }
  const all = new Set(got);
  const from = firstDue(observed);
  const missing = log.slice(from).filter((_entry, index) => !all.has(from + index));
  if (missing.length > 0)
    found("lost", `${missing.length} of ${log.length} did not come, the first is ${missing[0]?.position}`);
  return violations;
}

/** Index in the log of the first notification that must have come: after subscribing anew, what was published meanwhile need not. */
function firstDue({ log, losses, publications }: Observed): number {
  const anew = losses.findLast(({ subscriptions }) => subscriptions);
  if (anew === undefined) return 0;
  const later = new Set(publications.filter(({ at = 0 }) => at > anew.until).map(({ digest }) => digest));
  const due = log.findIndex(({ digest }) => later.has(digest));
  return due === -1 ? log.length : due;
}

function* clashingIds(taken: readonly Taken[]): Generator<string> {
  const ids = new Map<string, string>();
  const digests = new Map<string, string>();
  for (const { id, digest } of taken) {
    const known = ids.get(digest) ?? id;
    if (known !== id) yield `the same notification came as ${known} and as ${id}`;
    if ((digests.get(id) ?? digest) !== digest) yield `two notifications came as ${id}`;
    ids.set(digest, known);
    digests.set(id, digest);
  }
}

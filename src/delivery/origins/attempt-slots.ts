import type { AttemptNumber, Pace, Turn } from "./origin.ts";
import { createShares } from "./shares.ts";
import type { Verdict } from "./verdict.ts";
import { type Line, waitingLines } from "./waiting-lines.ts";

/**
 * Hands out the slots in which attempts are made. Origins take turns, and so do the subscriptions of an origin: whoever ends an
 * attempt goes behind all who wait. Where nobody waits, a slot is had at once, without a promise.
 */
export function createAttemptSlots(concurrency: number) {
  const shares = createShares(concurrency);
  const waiting = waitingLines(shares);
  let isClosed = false;

  /** Counts what an origin holds by the pace that it has now. */
  const paceOf = (line: Line): Pace => {
    const pace = line.origin.pace();
    if (pace === line.countedAs) return pace;
    const { running } = line.origin.view();
    shares.take(line.countedAs, -running);
    shares.take(pace, running);
    line.countedAs = pace;
    // It waits among those of its new pace from now on.
    if (line.place !== undefined) waiting.add(line);
    return pace;
  };
  const begin = (line: Line): AttemptNumber => {
    shares.take(line.countedAs, 1);
    return line.origin.begin();
  };

  const handOut = (): void => {
    for (let line = waiting.next(); line !== undefined; line = waiting.next()) {
      const before = line.countedAs;
      if (paceOf(line) !== before) continue;
      line.place = undefined;
      // Its limit was cut while it waited: one of its own attempts will bring it back.
      if (!line.origin.hasRoom()) continue;
      const waiter = line.waiters.shift();
      if (waiter === undefined) continue;
      const turn = begin(line);
      if (line.waiters.length > 0 && line.origin.hasRoom()) waiting.add(line);
      waiter(turn);
    }
  };
  const dismiss = (line: Line): void => {
    line.place = undefined;
    for (let waiter = line.waiters.shift(); waiter !== undefined; waiter = line.waiters.shift()) {
      waiter(undefined);
    }
  };

  /** A slot, where one is free for this origin and nobody has waited for it. */
  const take = (line: Line): AttemptNumber | undefined => {
    const pace = paceOf(line);
    const isFree = line.waiters.length === 0 && line.origin.hasRoom() && shares.hasRoom(pace);
    return isFree ? begin(line) : undefined;
  };

  return {
    take,
    /** Waits for a slot. Resolves without one where the circuit opens meanwhile, or the slots are closed. */
    async wait(line: Line): Promise<AttemptNumber | undefined> {
      if (isClosed || line.origin.bars()) return undefined;
      return (
        take(line) ??
        (await new Promise<AttemptNumber | undefined>((resolve) => {
          line.waiters.push(resolve);
          if (line.place === undefined && line.origin.hasRoom()) waiting.add(line);
        }))
      );
    },
    /** Gives a slot back, and says what came of it. */
    leave(line: Line, attempt: AttemptNumber, verdict: Verdict): Turn {
      shares.take(line.countedAs, -1);
      const turn = line.origin.end(attempt, verdict);
      paceOf(line);
      if (turn === "opened" || turn === "reopened") dismiss(line);
      else if (line.place === undefined && line.waiters.length > 0 && line.origin.hasRoom())
        waiting.add(line);
      handOut();
      return turn;
    },
    /** Nobody waits any more; the slots that are taken are given back as ever. */
    close(lines: Iterable<Line>): void {
      isClosed = true;
      for (const line of lines) dismiss(line);
    },
  };
}

export type AttemptSlots = ReturnType<typeof createAttemptSlots>;

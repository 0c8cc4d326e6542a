import type { Events } from "../../observability/events.ts";
import { originOf } from "../../protocol/http-url.ts";
import type { AttemptDelivery, DeliveryOutcome } from "../attempt-delivery.ts";
import type { Claim } from "../delivery-ledger.ts";
import { type AttemptSlots, createAttemptSlots } from "./attempt-slots.ts";
import { type KnownOrigins, knownOrigins, type OriginView } from "./known-origins.ts";
import type { AttemptNumber, Turn } from "./origin.ts";
import { type Verdict, verdictOf } from "./verdict.ts";
import type { Line } from "./waiting-lines.ts";

interface Parts {
  readonly attempt: AttemptDelivery;
  /** Attempts at the same time, in all and at one origin. */
  readonly concurrency: number;
  readonly perOrigin: number;
  readonly events: Pick<Events, "circuitOpened" | "circuitClosed" | "circuitsOpen">;
  readonly now: () => number;
  readonly random: () => number;
}

/** The place of one claimed subscription among those who want to attempt something. */
interface Seat {
  /** Attempts in a slot; or answers `crowded` where others come first, `barred` where the circuit is open. */
  readonly attempt: AttemptDelivery;
  /** After `crowded`: resolves when it is worth while to try again. */
  turn(): Promise<void>;
  leave(): void;
}

export interface AttemptsInTurn {
  seat(claim: Claim): Seat;
  origins(): readonly OriginView[];
  origin(origin: string): OriginView | undefined;
  /** Calls off what waits. */
  close(): void;
}

/** How often idle origins are looked for. Milliseconds. */
const tidyEvery = 60_000;

/** Attempts in slots, at origins whose circuits let them through. */
export function attemptsInTurn(parts: Parts): AttemptsInTurn {
  const slots = createAttemptSlots(parts.concurrency);
  const known = knownOrigins(parts);
  const { events } = parts;
  const timer = setInterval(() => {
    known.forgetOld();
    events.circuitsOpen(known.openCircuits());
  }, tidyEvery);
  timer.unref();

  const tell = (origin: string, line: Line, turn: Turn): void => {
    if (turn === undefined || turn === "reopened") return;
    events.circuitsOpen(known.turned(origin, turn === "opened" ? "open" : "closed"));
    const { since, until = since, because = "" } = line.origin.view();
    if (turn === "opened") {
      events.circuitOpened({ callbackOrigin: origin, because, until: new Date(until).toISOString() });
    } else events.circuitClosed({ callbackOrigin: origin });
  };

  return {
    seat: (claim) => takeSeat({ claim, slots, known, attempt: parts.attempt, tell }),
    origins: known.views,
    origin: (origin) => known.view(origin),
    close() {
      clearInterval(timer);
      slots.close(known.lines());
    },
  };
}

interface SeatParts {
  readonly claim: Claim;
  readonly slots: AttemptSlots;
  readonly known: KnownOrigins;
  readonly attempt: AttemptDelivery;
  readonly tell: (origin: string, line: Line, turn: Turn) => void;
}

function takeSeat({ claim, slots, known, attempt, tell }: SeatParts): Seat {
  const origin = originOf(claim.subscription.callback);
  const line = known.enter(origin, claim.progress.failing !== undefined);
  /** A turn that was waited for and is not used yet. */
  let turn: AttemptNumber | undefined;

  const end = (ended: AttemptNumber, verdict: Verdict): void =>
    tell(origin, line, slots.leave(line, ended, verdict));

  return {
    async attempt(...delivery) {
      const taken = turn ?? (line.origin.bars() ? undefined : slots.take(line));
      turn = undefined;
      if (taken === undefined) return line.origin.bars() ? barred(origin, line) : { kind: "crowded" };
      let verdict: Verdict = { kind: "nothing" };
      try {
        const outcome = await attempt(...delivery);
        verdict = verdictOf(outcome);
        return outcome;
      } finally {
        end(taken, verdict);
      }
    },
    async turn() {
      turn = await slots.wait(line);
    },
    leave() {
      if (turn !== undefined) end(turn, { kind: "nothing" });
      known.leave(origin);
    },
  };
}

function barred(origin: string, line: Line): DeliveryOutcome {
  const { since, until = since, because } = line.origin.view();
  const when = new Date(since).toISOString();
  return {
    kind: "barred",
    until,
    reason: `not attempted: the circuit of ${origin} is open since ${when}, because: ${because}`,
  };
}

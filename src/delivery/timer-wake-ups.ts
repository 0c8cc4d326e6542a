import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import type { WakeUp, WakeUps } from "./wake-ups.ts";

/** The longest that a timer of Node can wait; what is later is looked at again then. */
const longestTimer = 2 ** 31 - 1;

interface TimerWakeUpsOptions {
  readonly events: Pick<Events, "storageUnavailable" | "unexpected">;
  /** How many wake-ups are handled at a time. */
  readonly concurrency?: number;
  readonly now?: () => number;
}

/** Wake-ups within one process. After a start, the reconciler sets the timers again. */
export function createTimerWakeUps({
  events,
  concurrency = 16,
  now = Date.now,
}: TimerWakeUpsOptions): WakeUps {
  const report = reportFault(events, "wake-up");
  const waiting = new Map<string, WakeUp>();
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  let handle: ((wakeUp: WakeUp) => Promise<void>) | undefined;
  let closed = false;

  const nameOf = ({ channel, subscription }: WakeUp): string => `${channel} ${subscription ?? ""}`;

  const run = async (name: string, wakeUp: WakeUp, toHandle: (wakeUp: WakeUp) => Promise<void>) => {
    try {
      await toHandle(wakeUp);
    } catch (error) {
      report(error);
    } finally {
      running.delete(name);
      handOut();
    }
  };
  function handOut(): void {
    if (handle === undefined || closed) return;
    for (const [name, wakeUp] of waiting) {
      if (running.size >= concurrency) return;
      if (running.has(name)) continue;
      waiting.delete(name);
      running.set(name, run(name, wakeUp, handle));
    }
  }
  const wake = (wakeUp: WakeUp): void => {
    if (closed) return;
    waiting.set(nameOf(wakeUp), wakeUp);
    handOut();
  };
  const setTimer = (wakeUp: WakeUp, at: number): void => {
    const name = nameOf(wakeUp);
    clearTimeout(timers.get(name));
    const due = (): void => {
      timers.delete(name);
      if (at > now()) setTimer(wakeUp, at);
      else wake(wakeUp);
    };
    const delay = Math.min(Math.max(at - now(), 0), longestTimer);
    timers.set(name, setTimeout(due, delay).unref());
  };

  return {
    async wake(wakeUp) {
      wake(wakeUp);
    },
    async wakeAt(wakeUp, at) {
      if (!closed) setTimer(wakeUp, at);
    },
    async start(toHandle) {
      handle = toHandle;
      handOut();
    },
    async close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      waiting.clear();
      await Promise.all(running.values());
    },
  };
}

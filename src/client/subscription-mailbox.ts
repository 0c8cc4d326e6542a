import type { CallbackSubscription, SubscriptionNews } from "./callback-subscription.ts";

/** It did not work, and is tried again after so many milliseconds. */
export interface Waiting {
  readonly kind: "waiting";
  readonly reason: string;
  readonly milliseconds: number;
}

/** Holds the latest news of a subscription until somebody asks. */
export interface Mailbox {
  empty(): void;
  /** The news that is there or comes within so many milliseconds; `undefined` after them, and where `isDone` or aborted. */
  next(
    milliseconds: number,
    signal: AbortSignal | undefined,
    isDone?: () => boolean,
  ): Promise<SubscriptionNews | undefined>;
  /** Has whoever waits look at its `isDone`. */
  wake(): void;
  close(): void;
}

/** No timer of Node holds longer than 24.8 days; and a machine that slept has the clock looked at again. */
const longestTimer = 3_600_000;

export function mailboxOf(subscription: CallbackSubscription): Mailbox {
  let latest: SubscriptionNews | undefined;
  let wake = (): void => {};
  const close = subscription.watch((news) => {
    latest = news;
    wake();
  });

  const woken = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    empty: () => void (latest = undefined),
    wake: () => wake(),
    close,
    async next(milliseconds, signal, isDone = () => false) {
      const end = Date.now() + milliseconds;
      const onAbort = (): void => wake();
      signal?.addEventListener("abort", onAbort);
      const goesOn = (): boolean => latest === undefined && !isDone() && signal?.aborted !== true;
      for (let left = milliseconds; left > 0 && goesOn(); left = end - Date.now()) await woken(left);
      signal?.removeEventListener("abort", onAbort);
      const news = latest;
      latest = undefined;
      return news;
    },
  };
}

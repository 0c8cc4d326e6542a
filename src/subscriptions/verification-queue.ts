import { callbackHostOf } from "./callback-host.ts";
import type { HostGate } from "./host-gate.ts";
import type { IntentRequest, SubscriptionId } from "./subscription.ts";
import { unconfirmedPerHost, type UnconfirmedBudget } from "./unconfirmed-budget.ts";
import type { VerificationEnd } from "./verify-intent.ts";

/** Why a request cannot wait here; `retryAfter` is in seconds. */
export interface NoRoom {
  readonly why: "busy" | "host-busy" | "unconfirmed";
  readonly reason: string;
  readonly retryAfter: number;
}

type Asked = Pick<IntentRequest, "subscription" | "callback">;

export interface VerificationQueue {
  /** `undefined` where the request may be added, at once: requests that come together must not all find room first. */
  noRoomFor(asked: Asked): NoRoom | undefined;
  /** Why its host is asked no more for now. What is asked of an active subscription is no misuse. */
  hostIsSpent(asked: Asked): NoRoom | undefined;
  /**
   * Verifies it once it is stored, when those for the same pair have been (the latest has the last word, WebSub §5.1) and its
   * host has room. Resolves at the end; never rejects. What is here already is not added again.
   */
  add(request: IntentRequest, remembered: Promise<void>): Promise<void>;
  /** Resolves when nothing runs or waits. */
  settled(): Promise<void>;
}

interface Parts {
  /** Never rejects. */
  readonly verify: (request: IntentRequest) => Promise<VerificationEnd>;
  readonly atHost: HostGate;
  readonly budget: UnconfirmedBudget;
  /** Requests that run or wait for one host. */
  readonly perHost: number;
}

/** Verifications that run or wait. */
const maxUnderWay = 1000;
/** Of one subscription: what a callback that answers nothing can make wait. */
const maxUnderWayPerSubscription = 5;
/** Seconds: some verifications are over by then. */
const retryAfter = 30;

export function createVerificationQueue({ verify, atHost, budget, perHost }: Parts): VerificationQueue {
  const pairs = new Map<SubscriptionId, { waiting: number; last: Promise<void> }>();
  const hosts = new Map<string, number>();
  const held = new Set<string>();

  async function run(request: IntentRequest, host: string): Promise<void> {
    await atHost(host, async () => {
      if ((await verify(request)) === "not confirmed") budget.spend(host);
    });
  }

  return {
    noRoomFor({ subscription, callback }) {
      const host = callbackHostOf(callback);
      if (held.size >= maxUnderWay || (pairs.get(subscription)?.waiting ?? 0) >= maxUnderWayPerSubscription)
        return { why: "busy", reason: tooBusy, retryAfter };
      if ((hosts.get(host) ?? 0) >= perHost)
        return { why: "host-busy", reason: hostTooBusy(host, perHost), retryAfter };
      return undefined;
    },
    hostIsSpent({ callback }) {
      const host = callbackHostOf(callback);
      const seconds = budget.secondsUntilRoom(host);
      return seconds === 0
        ? undefined
        : { why: "unconfirmed", reason: hostIsSpent(host), retryAfter: seconds };
    },
    async add(request, remembered) {
      if (held.has(request.id)) return;
      const { id, subscription, callback } = request;
      const host = callbackHostOf(callback);
      const pair = pairs.get(subscription) ?? { waiting: 0, last: Promise.resolve() };
      held.add(id);
      pair.waiting += 1;
      hosts.set(host, (hosts.get(host) ?? 0) + 1);
      pair.last = pair.last
        .then(() => remembered)
        .then(() => run(request, host))
        // Whoever asked was told that it could not be remembered.
        .catch(() => {})
        .finally(() => {
          held.delete(id);
          pair.waiting -= 1;
          if (pair.waiting === 0) pairs.delete(subscription);
          const others = (hosts.get(host) ?? 1) - 1;
          if (others === 0) hosts.delete(host);
          else hosts.set(host, others);
        });
      pairs.set(subscription, pair);
      await pair.last;
    },
    async settled() {
      while (pairs.size > 0) await Promise.all([...pairs.values()].map(({ last }) => last));
    },
  };
}

const tooBusy =
  "Too many requests, for this callback or in all, wait for their verification. Send the request again later.";

const hostTooBusy = (host: string, perHost: number): string =>
  `${perHost} requests for callbacks at ${host} wait for their verification (limits.verificationsPerHost). Send the request again later.`;

const hostIsSpent = (host: string): string =>
  `Callbacks at ${host} did not confirm ${unconfirmedPerHost} requests within ten minutes, so the hub asks nothing more there for now. See that the callback echoes hub.challenge with a 2xx (WebSub §5.3.1), and send the request again after the time in Retry-After.`;

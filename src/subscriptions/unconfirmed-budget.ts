/** Questions that a host may leave unconfirmed within the window, before no more are asked there. */
export const unconfirmedPerHost = 30;
const windowMilliseconds = 600_000;
/** Of more hosts than that, the one whose last unconfirmed question is longest ago is forgotten. */
const maxHosts = 10_000;

export interface UnconfirmedBudget {
  /** A question to the host was not confirmed. */
  spend(host: string): void;
  /** What was spent last was spent on one that confirmed. */
  refund(host: string): void;
  /** 0 where the host may be asked. */
  secondsUntilRoom(host: string): number;
}

/**
 * What keeps verification from being turned against a host that never asked for it: who subscribes in its name spends this, and
 * hosts that confirm spend nothing. In the memory of one process.
 */
export function createUnconfirmedBudget(now: () => number, most = unconfirmedPerHost): UnconfirmedBudget {
  /** In the order of the last entry. */
  const times = new Map<string, readonly number[]>();

  function recent(host: string): readonly number[] {
    const at = now();
    // A clock that was set back leaves times in the future.
    return (times.get(host) ?? []).filter((time) => time <= at && at - time < windowMilliseconds);
  }

  return {
    spend(host) {
      const spent = [...recent(host), now()].slice(-most);
      times.delete(host);
      times.set(host, spent);
      const [longestAgo] = times.keys();
      if (times.size > maxHosts && longestAgo !== undefined) times.delete(longestAgo);
    },
    refund(host) {
      const spent = recent(host);
      if (spent.length > 0) times.set(host, spent.slice(0, -1));
    },
    secondsUntilRoom(host) {
      const spent = recent(host);
      if (spent.length === 0) times.delete(host);
      const [first = 0] = spent;
      return spent.length < most ? 0 : Math.ceil((first + windowMilliseconds - now()) / 1000);
    },
  };
}

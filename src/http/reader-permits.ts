import type { SetId } from "../channels/channel.ts";
import type { Access, Holder } from "../security/access.ts";
import { mayRead } from "./set-access.ts";

export interface ReaderPermits {
  /**
   * Aborts when the token no longer opens the set: at its end, or when the hub was told of other tokens. Holds on until
   * `connection` closes.
   */
  hold(
    token: string | undefined,
    set: SetId,
    connection: { readonly destroyed: boolean; once(event: "close", listener: () => void): unknown },
  ): AbortSignal;
}

interface Permit {
  readonly recheck: () => Promise<void>;
}

/** What `setTimeout` can wait for. */
const longestWait = 2 ** 31 - 1;

/** A live connection outlasts the request that opened it; so must the look at its token. */
export function createReaderPermits(access: Access, now: () => number): ReaderPermits {
  const held = new Set<Permit>();
  access.onReplaced(() => {
    for (const permit of held) void permit.recheck();
  });

  return {
    hold(token, set, connection) {
      const revoked = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const release = (): void => {
        held.delete(permit);
        clearTimeout(timer);
      };
      const revoke = (): void => {
        release();
        revoked.abort();
      };
      const endAt = (until: number): void => {
        clearTimeout(timer);
        const wait = until - now();
        if (wait <= 0) revoke();
        else if (held.has(permit))
          timer = setTimeout(() => endAt(until), Math.min(wait, longestWait)).unref();
      };
      const permit: Permit = {
        async recheck() {
          const found = await access.identify(token);
          // Keys that cannot be had say nothing against the token; its end was noted when it was good.
          if (found.kind === "undecided") return;
          const ends = found.kind === "known" ? endsOf(found.holders, set) : [];
          if (ends.length === 0) revoke();
          else if (!ends.includes(undefined)) endAt(Math.max(...ends.filter((end) => end !== undefined)));
        },
      };
      // It can have closed while the token was looked at.
      if (connection.destroyed) return revoked.signal;
      held.add(permit);
      connection.once("close", release);
      void permit.recheck();
      return revoked.signal;
    },
  };
}

const endsOf = (holders: readonly Holder[], set: SetId): (number | undefined)[] =>
  holders.filter((holder) => mayRead(holder, set)).map(({ until }) => until);

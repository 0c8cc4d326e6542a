import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { JWKSNoMatchingKey } from "jose/errors";
import { z } from "zod";

/** A JWK Set as it stands in a file or at a URL. Throws where it cannot be had, or is none. */
export type LoadKeys = () => Promise<unknown>;

/** No keys are known, and none can be had at the moment. Trying again later can help. */
export class KeysUnavailable extends Error {
  override name = "KeysUnavailable";
  readonly mayRetry = true;
}

interface LoadedKeys {
  readonly find: JWTVerifyGetKey;
  readonly loadedAt: number;
  /** The same for the same keys, whatever their order. */
  readonly text: string;
}

interface Parts {
  readonly load: LoadKeys;
  readonly events: {
    keysLoaded(at: { keys: number }): void;
    keysUnavailable(at: { reason: string }): void;
  };
  readonly now: () => number;
}

export interface KeySet {
  /** For `jwtVerify`. Throws `KeysUnavailable`, or an error of jose where the set has no such key. */
  readonly keyFor: JWTVerifyGetKey;
  /** Loads the keys anew, whenever they were loaded last. `false` where that failed: the old ones stay. */
  reload(): Promise<boolean>;
  /** Calls when other keys took the place of those that were known: what these opened may be open no longer. */
  onReplaced(listener: () => void): void;
}

/** Milliseconds after which the keys are loaded anew. */
export const freshFor = 600_000;
/** However many tokens name keys that are not there, or the keys cannot be had: one attempt in so many milliseconds. */
const cooldown = 30_000;
/** While they cannot be loaded, old keys hold for so long: an issuer that is down issues nothing that lasts longer. */
const staleFor = 3_600_000;

/** The keys of an issuer, kept, and loaded anew now and then and when a token names one that is not there yet. */
export function createKeySet({ load, events, now }: Parts): KeySet {
  let keys: LoadedKeys | undefined;
  const listeners: (() => void)[] = [];
  let attemptedAt = -Infinity;
  let underWay: Promise<boolean> | undefined;

  function reload(): Promise<boolean> {
    attemptedAt = now();
    underWay ??= take().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function take(): Promise<boolean> {
    try {
      const set = asKeySet(await load());
      const before = keys;
      keys = { find: createLocalJWKSet(set), loadedAt: now(), text: textOf(set) };
      events.keysLoaded({ keys: set.keys.length });
      if (before !== undefined && before.text !== keys.text) for (const listener of listeners) listener();
      return true;
    } catch (error) {
      events.keysUnavailable({ reason: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  /** Those that would come at the same moment wait for the same attempt. */
  async function reloadUnlessTried(): Promise<void> {
    if (underWay !== undefined || now() - attemptedAt >= cooldown) await (underWay ?? reload());
  }

  return {
    reload,
    onReplaced: (listener) => void listeners.push(listener),
    async keyFor(...asked) {
      if (keys === undefined || now() - keys.loadedAt >= freshFor) await reloadUnlessTried();
      const known = keys;
      if (known === undefined || now() - known.loadedAt >= staleFor) {
        throw new KeysUnavailable("no key set of the issuer could be loaded");
      }
      try {
        return await known.find(...asked);
      } catch (error) {
        if (!(error instanceof JWKSNoMatchingKey)) throw error;
        await reloadUnlessTried();
        if (keys === known) throw error;
        return await (keys ?? known).find(...asked);
      }
    },
  };
}

const jwkSet = z.object({ keys: z.array(z.unknown()) });

function asKeySet(found: unknown): JSONWebKeySet {
  const { data } = jwkSet.safeParse(found);
  if (data === undefined) throw new Error('this is no JWK Set: { "keys": [ … ] } is expected (RFC 7517 §5)');
  // Shared secrets have no place in what everybody may read (RFC 8725 §3.5); jose passes over what it cannot use.
  return { keys: data.keys.filter(isPublicKey) };
}

const isPublicKey = (key: unknown): key is JSONWebKeySet["keys"][number] =>
  typeof key === "object" && key !== null && "kty" in key && key.kty !== "oct";

const textOf = ({ keys }: JSONWebKeySet): string =>
  keys
    .map((key) => JSON.stringify(key))
    .toSorted()
    .join("\n");

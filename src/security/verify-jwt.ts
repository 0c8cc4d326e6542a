import { jwtVerify } from "jose";
import { JOSEError } from "jose/errors";
import { z } from "zod";
import { type Holder, signedBy, type VerifySigned } from "./access.ts";
import { type KeySet, KeysUnavailable } from "./key-set.ts";

interface Parts {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** The claim that says what its holder may do. */
  readonly claim: string;
  readonly keys: Pick<KeySet, "keyFor">;
  readonly events: { signedTokenRefused(at: { reason: string }): void };
  readonly now: () => number;
}

/** Seconds by which the clocks of issuer and hub may differ. */
const clockTolerance = 30;

const sets = z.union([z.literal("all"), z.array(z.string().max(64)).max(1000)]).default([]);

/** `{ "publish": ["catalogue"], "subscribe": "all", "operate": true }`; what is left out is not granted. */
const rights = z.strictObject({ publish: sets, subscribe: sets, operate: z.boolean().default(false) });

/** Three parts, the first of them a JSON object (RFC 7515 §7.1). What is none of these is not told of as a bad JWT. */
const compact = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/**
 * Believes a JWT that a key of the issuer has signed by an algorithm of the list, for this audience, and whose time has come
 * and not passed (RFC 8725 §3). Where it is not believed, the log says why, and its sender learns nothing.
 */
export function verifyJwts(parts: Parts): VerifySigned {
  const { issuer, audience, claim, keys, events, now } = parts;
  const algorithms = [...parts.algorithms];

  return async (token) => {
    if (!compact.test(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys.keyFor, {
        issuer,
        audience,
        algorithms,
        clockTolerance,
        requiredClaims: ["exp", "sub"],
        currentDate: new Date(now()),
      });
      const granted = rights.safeParse(payload[claim]);
      if (!granted.success) {
        events.signedTokenRefused({ reason: `the claim ${claim} does not say what may be done` });
        return undefined;
      }
      return holderOf(issuer, payload, granted.data);
    } catch (error) {
      if (error instanceof KeysUnavailable) return "undecided";
      events.signedTokenRefused({ reason: reasonOf(error) });
      return undefined;
    }
  };
}

function holderOf(
  issuer: string,
  { sub = "", exp = 0 }: { readonly sub?: string; readonly exp?: number },
  granted: z.output<typeof rights>,
): Holder {
  // It stands in logs and in answers.
  const name = sub.slice(0, 100).replaceAll(/[\p{C}\p{Z}]/gu, " ");
  return { ...granted, from: signedBy(issuer), name, until: (exp + clockTolerance) * 1000 };
}

/** jose throws a `TypeError` where a key is too short for its algorithm. */
function reasonOf(error: unknown): string {
  if (error instanceof JOSEError) return `${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
}

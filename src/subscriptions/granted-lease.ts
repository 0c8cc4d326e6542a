import type { IntentRequest } from "./subscription.ts";

export interface GrantedLease {
  readonly leaseSeconds: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A lease from the verification request on (WebSub §5.3.1). It never outlasts the right by which it is granted: a JWT cannot be
 * asked again whether it is still good.
 */
export function grantedLease(
  { leaseSeconds: wanted, authority }: Pick<IntentRequest, "leaseSeconds" | "authority">,
  verifiedAt: number,
): GrantedLease {
  const until = authority?.until ?? Number.POSITIVE_INFINITY;
  const left = Math.max(1, Math.floor((until - verifiedAt) / 1000));
  const leaseSeconds = Math.min(wanted, left);
  return { leaseSeconds, expiresAt: Math.min(verifiedAt + leaseSeconds * 1000, until) };
}

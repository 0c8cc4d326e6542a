import type { Subscription } from "./subscription.ts";

/** A subscription with a new secret, or with none, which keeps the one that it replaces until `keepUntil` (0: not at all). */
export function withSecret(renewed: Subscription, before: Subscription, keepUntil: number): Subscription {
  const { secret } = renewed;
  if (secret === undefined) return { ...renewed, previousSecret: undefined };
  if (secret === before.secret) return { ...renewed, previousSecret: before.previousSecret };
  const isKept = before.secret !== undefined && keepUntil > 0;
  return { ...renewed, previousSecret: isKept ? { secret: before.secret, until: keepUntil } : undefined };
}

/** A renewal replaces everything (WebSub §5.1) but when it began, and what an operator decided. */
export function renewedSubscription(
  renewed: Subscription,
  before: Subscription,
  keepSecretUntil: number,
): Subscription {
  const { createdAt, exhausted } = before;
  return withSecret({ ...renewed, createdAt, exhausted }, before, keepSecretUntil);
}

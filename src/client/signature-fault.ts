import { timingSafeEqual } from "node:crypto";
import { hubSignature, type SignatureMethod } from "../protocol/signature.ts";
import { hasWebhookSignature, versionOne } from "./webhook-signature.ts";

export interface SignatureRules {
  /** Any of them may have signed. */
  readonly secrets: readonly string[];
  readonly allowSha1: boolean;
  readonly requireWebhookSignature: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Seconds that a clock may be off, as Standard Webhooks has it; an older delivery may be one that somebody plays again. */
const tolerance = 300;

/**
 * Why a delivery cannot be taken as the hub's own, in a sentence; `undefined` where it can. Each kind of signature that
 * came has to fit, and one of them must have come.
 */
export function signatureFault(headers: Headers, body: Buffer, rules: SignatureRules): string | undefined {
  const hub = headers["x-hub-signature"] ?? [];
  const webhook = headers["webhook-signature"]?.join(" ") ?? "";
  const hasWebhook = versionOne(webhook).length > 0;
  if (rules.requireWebhookSignature && !hasWebhook) {
    return "webhook-signature (v1) is missing, and this subscriber requires it (Standard Webhooks).";
  }
  if (hub.length === 0 && !hasWebhook) {
    return "The delivery is not signed: X-Hub-Signature and webhook-signature are missing, and this callback was subscribed with a secret (WebSub §7.1).";
  }
  return (
    (hub.length === 0 ? undefined : hubSignatureFault(hub, body, rules)) ??
    (hasWebhook ? webhookSignatureFault(headers, webhook, body, rules) : undefined)
  );
}

function hubSignatureFault(
  [signature = ""]: readonly string[],
  body: Buffer,
  { secrets, allowSha1 }: SignatureRules,
): string | undefined {
  const method = methodOf(signature);
  if (method === undefined) {
    return "X-Hub-Signature is not method=hex with sha256, sha384 or sha512 as its method (WebSub §7.1).";
  }
  if (method === "sha1" && !allowSha1) {
    return "X-Hub-Signature uses sha1, which is refused here: sign with sha256 (WebSub §8.3).";
  }
  const given = Buffer.from(signature.toLowerCase());
  const fits = secrets.some((secret) => {
    const expected = Buffer.from(hubSignature(secret, body, method));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return fits ? undefined : "X-Hub-Signature does not fit the body and the secret (WebSub §7.1).";
}

const methods: readonly SignatureMethod[] = ["sha256", "sha384", "sha512", "sha1"];

const methodOf = (signature: string): SignatureMethod | undefined =>
  methods.find((method) => signature.toLowerCase().startsWith(`${method}=`));

function webhookSignatureFault(
  headers: Headers,
  signature: string,
  body: Buffer,
  { secrets, now }: SignatureRules,
): string | undefined {
  const [id = ""] = headers["webhook-id"] ?? [];
  const [timestamp = ""] = headers["webhook-timestamp"] ?? [];
  if (id === "" || !/^\d{1,12}$/.test(timestamp)) {
    return "webhook-signature came without webhook-id, or without webhook-timestamp in seconds since 1970 (Standard Webhooks).";
  }
  const apart = Math.abs(now / 1000 - Number(timestamp));
  if (apart > tolerance) {
    return `webhook-timestamp is ${Math.round(apart)} seconds away from this subscriber's clock; at most ${tolerance} are taken (Standard Webhooks). Set both clocks.`;
  }
  return hasWebhookSignature({ id, timestamp, signature }, body, secrets)
    ? undefined
    : "webhook-signature does not fit webhook-id, webhook-timestamp, body and secret (Standard Webhooks).";
}

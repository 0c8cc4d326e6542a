import { expect, test } from "vitest";
import { signatureFault } from "../../src/client/signature-fault.ts";
import { hubSigned, startReceiver, webhookSigned } from "./receiver-server.ts";

/** The vector that Standard Webhooks publishes with its libraries. */
const published = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  body: Buffer.from('{"test": 2432232314}'),
  headers: {
    "webhook-id": ["msg_p5jXN8AQM9LWM0D4loKWxJek"],
    "webhook-timestamp": ["1614265330"],
    "webhook-signature": ["v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="],
  },
  now: 1_614_265_330_000,
};

const faultOf = (changes: Partial<typeof published> & { readonly secrets?: readonly string[] } = {}) => {
  const { secret, body, headers, now } = { ...published, ...changes };
  const { secrets = [secret] } = changes;
  return signatureFault(headers, body, { secrets, allowSha1: false, requireWebhookSignature: false, now });
};

test("the published vector of Standard Webhooks is taken", () => {
  expect(faultOf()).toBeUndefined();
});

test("the published vector is refused with another secret, body, id or time", () => {
  const { headers } = published;
  const doesNotFit = /does not fit/;
  expect(faultOf({ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx" })).toMatch(doesNotFit);
  expect(faultOf({ secret: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" })).toMatch(doesNotFit);
  expect(faultOf({ body: Buffer.from('{"test": 2432232315}') })).toMatch(doesNotFit);
  expect(faultOf({ headers: { ...headers, "webhook-id": ["msg_other"] } })).toMatch(doesNotFit);
  expect(faultOf({ headers: { ...headers, "webhook-timestamp": ["1614265331"] } })).toMatch(doesNotFit);
  expect(faultOf({ headers: { ...headers, "webhook-timestamp": ["yesterday"] } })).toMatch(/in seconds/);
  expect(faultOf({ headers: { ...headers, "webhook-id": [] } })).toMatch(/without webhook-id/);
});

test("a delivery of five minutes ago, or ahead, is taken, and an older one is not", () => {
  const { now } = published;
  expect(faultOf({ now: now + 300_000 })).toBeUndefined();
  expect(faultOf({ now: now - 300_000 })).toBeUndefined();
  expect(faultOf({ now: now + 301_000 })).toMatch(/301 seconds away .* Set both clocks/);
  expect(faultOf({ now: now - 301_000 })).toMatch(/301 seconds/);
});

test("of several signatures, and several secrets, one has to fit", () => {
  const [signature] = published.headers["webhook-signature"];
  const headers = { ...published.headers, "webhook-signature": [`v1a,xyz v1,AAAA ${signature}`] };
  expect(faultOf({ headers })).toBeUndefined();
  expect(faultOf({ headers, secrets: ["the new one", published.secret] })).toBeUndefined();
  expect(faultOf({ headers: { ...headers, "webhook-signature": ["v1,AAAA v1,"] } })).toMatch(/does not fit/);
  expect(faultOf({ headers: { ...headers, "webhook-signature": [`v1a,${signature}`] } })).toMatch(
    /not signed/,
  );
});

test("X-Hub-Signature fits the vector that RFC 4231 gives for HMAC", () => {
  const rules = { secrets: ["Jefe"], allowSha1: false, requireWebhookSignature: false, now: 0 };
  const body = Buffer.from("what do ya want for nothing?");
  const hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  expect(signatureFault({ "x-hub-signature": [`sha256=${hex}`] }, body, rules)).toBeUndefined();
  const upper = { "x-hub-signature": [`SHA256=${hex.toUpperCase()}`] };
  expect(signatureFault(upper, body, rules)).toBeUndefined();
  const wrong = { "x-hub-signature": [`sha256=${hex.replace("5", "6")}`] };
  expect(signatureFault(wrong, body, rules)).toMatch(/does not fit/);
});

test("with a secret, only what is signed with it is taken (WebSub §7.1)", async () => {
  await using callback = await startReceiver({ secret: "s3cret" });
  const statusOf = async (headers: Record<string, string>) =>
    (await callback.deliver("<a/>", headers)).status;
  expect(await statusOf({})).toBe(403);
  expect(await statusOf(hubSigned("<a/>", "other"))).toBe(403);
  expect(await statusOf(hubSigned("<b/>", "s3cret"))).toBe(403);
  expect(await statusOf({ "X-Hub-Signature": "sha256=" })).toBe(403);
  expect(await statusOf(hubSigned("<a/>", "s3cret", "md5"))).toBe(403);
  expect(callback.received).toHaveLength(0);
  expect(callback.errors).toHaveLength(5);
  for (const error of callback.errors) expect(error).toMatchObject({ name: "DeliveryRefused" });
  for (const method of ["sha256", "sha384", "sha512"]) {
    expect(await statusOf(hubSigned("<a/>", "s3cret", method))).toBe(200);
  }
  expect(await statusOf(webhookSigned("<a/>", "s3cret"))).toBe(200);
  expect(callback.received).toHaveLength(4);
});

test("every kind of signature that comes has to fit", async () => {
  await using callback = await startReceiver({ secret: "s3cret" });
  const statusOf = async (headers: Record<string, string>) =>
    (await callback.deliver("<a/>", headers)).status;
  const [good, webhook] = [hubSigned("<a/>", "s3cret"), webhookSigned("<a/>", "s3cret")];
  expect(await statusOf({ ...good, ...webhook })).toBe(200);
  expect(await statusOf({ ...hubSigned("<a/>", "other"), ...webhook })).toBe(403);
  expect(await statusOf({ ...good, ...webhookSigned("<a/>", "other") })).toBe(403);
  const old = webhookSigned("<a/>", "s3cret", { at: Date.now() - 400_000 });
  expect(await statusOf({ ...good, ...old })).toBe(403);
});

test("sha1 is refused unless it is allowed (WebSub §8.3)", async () => {
  const signed = hubSigned("<a/>", "s3cret", "sha1");
  await using callback = await startReceiver({ secret: "s3cret" });
  const refused = await callback.deliver("<a/>", signed);
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining("sha1, which is refused"),
  ]);
  await using lax = await startReceiver({ secret: "s3cret", allowSha1: true });
  expect((await lax.deliver("<a/>", signed)).status).toBe(200);
  expect((await lax.deliver("<a/>", hubSigned("<a/>", "other", "sha1"))).status).toBe(403);
});

test("who requires webhook-signature takes nothing that could be played again", async () => {
  await using callback = await startReceiver({ secret: "s3cret", requireWebhookSignature: true });
  expect((await callback.deliver("<a/>", hubSigned("<a/>", "s3cret"))).status).toBe(403);
  expect((await callback.deliver("<a/>", webhookSigned("<a/>", "s3cret"))).status).toBe(200);
});

test("while the secret changes, the new one and the one before it are good", async () => {
  await using callback = await startReceiver({ secret: "first" });
  const statusOf = async (secret: string) =>
    (await callback.deliver("<a/>", hubSigned("<a/>", secret))).status;
  callback.subscription.rotateSecret("second");
  expect(callback.subscription.secrets).toEqual(["second", "first"]);
  expect([await statusOf("second"), await statusOf("first")]).toEqual([200, 200]);
  callback.subscription.rotateSecret("third");
  expect([await statusOf("third"), await statusOf("second"), await statusOf("first")]).toEqual([
    200, 200, 403,
  ]);
});

test("an answer to a bad signature does not tell what would have been right", async () => {
  await using callback = await startReceiver({ secret: "s3cret" });
  const [right = ""] = Object.values(hubSigned("<a/>", "s3cret"));
  const response = await callback.deliver("<a/>", hubSigned("<a/>", "other"));
  const text = await response.text();
  expect(text).not.toContain(right.slice(7));
  expect(text).not.toContain("s3cret");
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { moved, replayed } from "../../src/operations/schemas/placing.ts";
import { rotatedSecret, subscription, subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { hubSignature } from "../../src/protocol/signature.ts";
import { problem } from "../support/answers.ts";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { engineNames } from "../support/engines.ts";
import { contradictions } from "../support/json-schema.ts";
import { operate } from "../support/operator.ts";
import { adminToken, startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

const described = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

describe.each(engineNames)("what operators change, %s", (engine) => {
  let hub: TestHub;
  let callbacks: CallbackServer;
  let at = "";
  let schemas: Record<string, unknown> = {};
  beforeAll(async () => {
    hub = await startTestHub({ engine, yaml: "delivery: { retry: [1h] }\n" });
    callbacks = await startCallbackServer();
    await subscribe(hub, callbacks, { secret: "the first secret" });
    for (const n of [1, 2, 3]) await hub.publish(changeNotification(n));
    await waitUntil(() => {
      if (callbacks.deliveries.length < 3) throw new Error("not yet");
    });
    const { subscriptions } = subscriptionPage.parse(await (await operate(hub, "/subscriptions")).json());
    at = `/subscriptions/${subscriptions[0]?.id}`;
    schemas = described.parse(await (await operate(hub, "/openapi.json")).json()).components.schemas;
  });
  afterAll(async () => {
    await callbacks[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  });

  /** The answer, which must be as the OpenAPI document says. */
  async function done(name: string, path: string, method: string, body?: unknown): Promise<unknown> {
    const response = await operate(hub, path, { method, body });
    const answer: unknown = await response.json();
    const resolve = (to: string) => schemas[to.replace("#/components/schemas/", "")];
    expect([response.status, answer]).toEqual([200, answer]);
    expect(contradictions(answer, schemas[`${name}Answer`], resolve)).toEqual([]);
    return answer;
  }

  test("a pause stops deliveries with a note, and a rewind is counted before it is done", async () => {
    const paused = subscription.parse(
      await done("PauseSubscription", `${at}/pause`, "POST", { note: "ticket 4711" }),
    );
    expect(paused).toMatchObject({ state: "paused", paused: { because: "operator", note: "ticket 4711" } });
    for (const dryRun of [true, false]) {
      const back = await done("RewindSubscription", `${at}/rewind`, "POST", { to: "earliest", dryRun });
      expect(moved.parse(back)).toMatchObject({ dryRun, again: 3, skipped: 0, gap: false });
    }
    const forward = await done("RewindSubscription", `${at}/rewind`, "POST", { to: "latest", dryRun: true });
    expect(moved.parse(forward)).toMatchObject({ again: 0, skipped: 3 });
    const before = callbacks.deliveries.length;
    await done("ResumeSubscription", `${at}/resume`, "POST");
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(before + 3));
    await done("ListAttempts", `${at}/attempts?limit=2`, "GET");
  });

  test("a replay sends again what came since, and nothing that is not yet delivered is left out", async () => {
    const since = "2020-01-01";
    await waitUntil(async () =>
      expect(await (await operate(hub, "/subscriptions?behind=1")).text()).toContain("[]"),
    );
    const counted = await done("ReplaySubscription", `${at}/replay`, "POST", { since, dryRun: true });
    expect(replayed.parse(counted)).toEqual({ dryRun: true, notifications: 3, gone: 0, gap: false });
    const future = await done("ReplaySubscription", `${at}/replay`, "POST", { since: "2199" });
    expect(replayed.parse(future).notifications).toBe(0);
  });

  test("a rotated secret signs, is told once, and is nowhere else", async () => {
    const answer = rotatedSecret.parse(
      await done("RotateSecret", `${at}/secret`, "POST", { graceSeconds: 0 }),
    );
    const before = callbacks.deliveries.length;
    await hub.publish(changeNotification(9));
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(before + 1));
    const { headers, body } = callbacks.deliveries.at(-1)!;
    expect(headers["x-hub-signature"]).toBe(hubSignature(answer.secret, body, "sha256"));
    expect(await (await operate(hub, at)).text()).not.toContain(answer.secret);
  });

  test("what happens after the last attempt is decided for one subscription", async () => {
    const change = (exhausted: string) => done("ChangeSubscription", at, "PATCH", { exhausted });
    expect(subscription.parse(await change("pause")).exhausted).toBe("pause");
    expect(subscription.parse(await change("default")).exhausted).toBe("park");
  });

  test.each([
    ["rewind", {}, 400, "The key to cannot be used"],
    ["rewind", { to: "yesterday" }, 400, "It takes `earliest`, `latest`, a position"],
    ["rewind", { to: "aaaaaaaaaaaa-7" }, 409, "`earliest` is where it begins now"],
    ["rewind", { to: "earliest", dryrun: true }, 400, "The key dryrun is not known; dryRun is."],
    ["replay", { since: "yesterday" }, 400, "The key since cannot be used: expected a W3C datetime"],
    ["secret", { secret: "ß".repeat(100) }, 400, "expected at most 199 bytes"],
    ["pause", { note: "a\nb" }, 400, "expected one line"],
    ["resume", {}, 409, "is not paused"],
  ])("%s with %j is refused with %i, naming what is wrong", async (what, body, status, says) => {
    const response = await operate(hub, `${at}/${what}`, { method: "POST", body });
    expect([response.status, (await problem(response)).detail]).toEqual([
      status,
      expect.stringContaining(says),
    ]);
  });

  test("a body that is no JSON, or too large, is refused", async () => {
    const url = `${hub.baseUrl}/api/v1${at}/pause`;
    const Authorization = `Bearer ${adminToken}`;
    const send = async (body: string, type = "application/json") =>
      (await fetch(url, { method: "POST", body, headers: { Authorization, "Content-Type": type } })).status;
    expect(await send("{")).toBe(400);
    expect(await send("[]")).toBe(400);
    expect(await send("note=x", "application/x-www-form-urlencoded")).toBe(415);
    expect(await send(JSON.stringify({ note: "x".repeat(20_000) }))).toBe(413);
  });
});

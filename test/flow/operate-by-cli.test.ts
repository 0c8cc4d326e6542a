import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { engineNames } from "../support/engines.ts";
import { operate } from "../support/operator.ts";
import { adminToken, startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

const root = join(import.meta.dirname, "../..");
const page = await readFile(join(root, "docs/operations.md"), "utf8");
const [, walk = ""] = /^## A callback that fails[^\n]*\n(.*?)^## /ms.exec(page) ?? [];
const [mending = "", letters = ""] = walk.split("### What was given up");

interface Step {
  readonly command: string;
  readonly output: string;
}

const stepsOf = (text: string): Step[] =>
  [...text.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ resourcesync-hub /m)
      .slice(1)
      .map((step) => {
        const end = step.indexOf("\n");
        return { command: step.slice(0, end), output: step.slice(end + 1) };
      }),
  );

/** The words of a command line as a shell splits them. */
const words = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** What differs from one run to the next, made alike: ids, positions, ports, times, spans. */
function alike(output: string, id: string): string {
  const lines = output
    .replaceAll(new RegExp(`${id}[\\w-]*|vK3xQ9Zb[\\w-]*`, "g"), "ID")
    .replaceAll(/http\S*…\S*/g, "CUT")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "ORIGIN")
    .replaceAll(/https:\/\/(hub|mirror)\.example\.org/g, "ORIGIN")
    .replaceAll(/\b[0-9a-z]{8,16}-(\d+)\b(?!-)/g, "POSITION-$1")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")
    .replaceAll(/\b\d+ (s|min|h|d)\b/g, "SPAN")
    .replaceAll(/(SPAN ago +|after )\d+/g, "$1TRIES")
    .replaceAll(/(failed|delivered) +(\d+) +\d+/g, "$1 $2 MS")
    .split("\n")
    .map((line) => line.replaceAll(/ {2,}/g, "  ").trim());
  return lines.join("\n").trim();
}

const main = join(root, "dist/cli/main.js");

async function run(hub: TestHub, command: string): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env["PATH"], NO_COLOR: "1", HUB_URL: hub.baseUrl, HUB_ADMIN_TOKEN: adminToken };
  return await new Promise((resolve) => {
    execFile(process.execPath, [main, ...words(command)], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: error === null ? stdout : stderr });
    });
  });
}

async function idOf(hub: TestHub): Promise<string> {
  const { subscriptions } = subscriptionPage.parse(
    await (await operate(hub, "/subscriptions?callback=resources")).json(),
  );
  return subscriptions[0]?.id ?? "";
}

/** Runs what the page says, `before` each step what it tells of; its output must be what the page shows. */
async function follow(
  hub: TestHub,
  steps: readonly Step[],
  since: string,
  before: (step: Step) => Promise<void>,
): Promise<void> {
  const id = (await idOf(hub)).slice(0, 8);
  for (const step of steps) {
    await before(step);
    const command = step.command
      .replaceAll("vK3xQ9Zb", id)
      .replaceAll(/2026-11-21(T04:30:00Z)?/g, since)
      // An ID that begins with - stands after --.
      .replace(/^(\w+ \w+) (-\S+)(.*)$/, (whole, verb: string, first: string, rest: string) =>
        first.startsWith(id) ? `${verb}${rest} -- ${first}` : whole,
      );
    const { code, output } = await run(hub, command);
    expect([step.command, code, alike(output, id)]).toEqual([step.command, 0, alike(step.output, id)]);
  }
}

async function fullDisk(hub: TestHub, callbacks: CallbackServer): Promise<void> {
  callbacks.answerDeliveries({ status: 500, body: "No space left on device" });
  for (const n of [4, 5, 6]) await hub.publish(changeNotification(n));
}

describe.each(engineNames)("following docs/operations.md with the command line alone, %s", (engine) => {
  test("an operator finds a broken callback, reads why, pauses, rewinds and watches it catch up", async () => {
    await using hub = await startTestHub({ engine, yaml: "delivery: { retry: [1h], giveUpAfter: 72h }\n" });
    await using callbacks = await startCallbackServer();
    await subscribe(hub, callbacks, { target: "/resources?of=maps", secret: "keep this to yourself" });
    await hub.publish(changeNotification(1));
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const since = new Date().toISOString();
    for (const n of [2, 3]) await hub.publish(changeNotification(n));
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(3));
    await fullDisk(hub, callbacks);
    await waitUntil(async () => {
      const listed = await (await operate(hub, `/subscriptions?state=failing&behind=3`)).json();
      expect(subscriptionPage.parse(listed).subscriptions).toHaveLength(1);
      const attempts = await (await operate(hub, `/subscriptions/${await idOf(hub)}/attempts`)).text();
      expect(attempts.split('"delivered"')).toHaveLength(4);
      expect(attempts).toContain('"failed"');
    });

    const steps = stepsOf(mending);
    expect(steps.map(({ command }) => command.split(" ")[1])).toEqual([
      "--behind",
      "show",
      "pause",
      "rewind",
      "rewind",
      "resume",
      "show",
    ]);
    await follow(hub, steps, since, async ({ command }) => {
      if (command.includes("resume")) callbacks.answerDeliveries({ status: 204 });
      if (!command.includes("--watch")) return;
      await waitUntil(() => expect(callbacks.deliveries.length).toBeGreaterThanOrEqual(9));
      await waitUntil(async () =>
        expect(await (await operate(hub, "/subscriptions?behind=1")).text()).toContain("[]"),
      );
    });
    const again = callbacks.deliveries.slice(-5).map(({ body }) => body.toString());
    expect(again).toEqual([2, 3, 4, 5, 6].map((n) => changeNotification(n)));
  }, 120_000);

  test("an operator reads what was given up", async () => {
    const yaml = "delivery: { retry: [1s], giveUpAfter: 1s, exhausted: park }\n";
    await using hub = await startTestHub({ engine, yaml });
    await using callbacks = await startCallbackServer();
    callbacks.answerDeliveries({ status: 500, body: "No space left on device" });
    await subscribe(hub, callbacks, { target: "/resources?of=maps" });
    for (const n of [1, 2]) await hub.publish(changeNotification(n));
    await waitUntil(async () => {
      const letters = await (await operate(hub, "/deadletters")).text();
      expect(letters.split('"firstFailedAt"')).toHaveLength(3);
    }, 30);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await follow(hub, stepsOf(letters), since, async () => {
      callbacks.answerDeliveries({ status: 204 });
    });
    await waitUntil(async () => {
      const left = await (await operate(hub, "/deadletters")).text();
      expect(left.split('"firstFailedAt"')).toHaveLength(2);
    });
    expect(callbacks.deliveries.at(-1)?.body.toString()).toBe(changeNotification(1));
  }, 120_000);
});

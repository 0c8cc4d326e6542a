import { readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { tokenSha256 } from "../../src/security/access-token.ts";
import type { CallbackServer } from "./callback-server.ts";
import { changeNotification } from "./documents.ts";
import type { HubFile } from "./hub-file.ts";
import { bearer } from "./private-hub.ts";
import { publisherToken } from "./start-hub.ts";
import { waitUntil } from "./wait-until.ts";

/** Name and tokens of each who may read the set. */
type Subscribers = Readonly<Record<string, readonly string[]>>;

/** Beside `maps` there is `secret` from now on, which its publisher may publish to; who may read it is told by `subscribers`. */
export async function declareSecret(
  { file }: HubFile,
  access: "public" | "private",
  subscribers: Subscribers,
): Promise<void> {
  const text = await readFile(file, "utf8");
  const listed = Object.entries(subscribers).map(
    ([name, tokens]) =>
      `{ name: ${name}, tokenSha256: [${tokens.map((token) => tokenSha256(token)).join(", ")}], sets: [secret] }`,
  );
  const others = text
    .replaceAll(/^(?:sets|subscribers):.*\n/gm, "")
    .replace("sets: [maps]", "sets: [maps, secret]");
  const sets = `sets: [{ id: maps, title: Historic maps }, { id: secret, access: ${access} }]\n`;
  await writeFile(file, `${others}${sets}subscribers: [${listed.join(", ")}]\n`);
}

export const secretTopic = ({ baseUrl }: HubFile): string => `${baseUrl}/sets/secret/change-notification`;

export async function publishSecret({ port }: HubFile, number: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/sets/secret/change-notification`, {
    method: "POST",
    body: changeNotification(number),
    headers: { "Content-Type": "application/xml", ...bearer(publisherToken) },
  });
  expect(answer.status).toBe(202);
}

/** Subscribes `target` to `secret`, and waits until a first notification, `number`, has come. */
export async function subscribeToSecret(
  settings: HubFile,
  callback: CallbackServer,
  { target, token, number }: { readonly target: string; readonly token?: string; readonly number: number },
): Promise<void> {
  const before = await confirmations(settings);
  const answer = await fetch(`http://127.0.0.1:${settings.port}/websub`, {
    method: "POST",
    headers: token === undefined ? {} : bearer(token),
    body: new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.topic": secretTopic(settings),
      "hub.callback": callback.url(target),
    }),
  });
  expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
  await waitUntil(async () => expect(await confirmations(settings)).toBe(before + 1));
  await publishSecret(settings, number);
  await waitUntil(() => expect(received(callback, target)).toContain(changeNotification(number)));
}

/** What was said to a callback by GET: `hub.mode`, in order. */
export const asked = (callback: CallbackServer, target: string): (string | null)[] =>
  callback.verifications
    .filter((each) => each.target.startsWith(`${target}?`))
    .map(({ parameters }) => parameters.get("hub.mode"));

export const received = (callback: CallbackServer, target: string): string[] =>
  callback.deliveries.filter((each) => each.target === target).map(({ body }) => body.toString());

async function sample({ port }: HubFile, line: RegExp): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(line.exec(text)?.[1] ?? 0);
}

const confirmations = (settings: HubFile): Promise<number> =>
  sample(settings, /^hub_intent_verifications_total\{mode="subscribe",outcome="confirmed"\} (\d+)$/m);

/** Subscriptions that ended because nobody's right covers them any more, as this process counts them. */
export const unauthorisedEndings = (settings: HubFile): Promise<number> =>
  sample(settings, /^hub_subscriptions_ended_total\{reason="unauthorised"\} (\d+)$/m);

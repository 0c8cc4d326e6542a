import { expect } from "vitest";
import type { TestHub } from "./start-hub.ts";
import { waitUntil } from "./wait-until.ts";

type Hub = Pick<TestHub, "baseUrl" | "get">;

export const topicOf = (hub: Pick<TestHub, "baseUrl">): string =>
  `${hub.baseUrl}/sets/maps/change-notification`;

/** What a subscriber sends; `more` adds parameters, or replaces them. */
export function formFor(
  hub: Pick<TestHub, "baseUrl">,
  callback: string,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": topicOf(hub),
    "hub.callback": callback,
    ...more,
  });
}

/** POSTs a body to the hub as it is. */
export function postToHub(
  hub: Pick<TestHub, "baseUrl">,
  body: string | Buffer | URLSearchParams,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${hub.baseUrl}/websub`, {
    method: "POST",
    body: body instanceof URLSearchParams ? body.toString() : body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    redirect: "manual",
  });
}

/** The sum of the samples of a metric whose labels match. */
export async function sumOf(hub: Hub, metric: string, labels = /./): Promise<number> {
  const text = await (await hub.get("/metrics")).text();
  const samples = text.split("\n").filter((line) => line.startsWith(metric) && labels.test(line));
  return samples.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** Sends a form, and waits until the hub has asked the callback; answers whether it confirmed. */
export async function verifiedAtHub(hub: Hub, form: URLSearchParams): Promise<boolean> {
  const outcomes = () => sumOf(hub, "hub_intent_verifications_total");
  const confirmed = () => sumOf(hub, "hub_intent_verifications_total", /outcome="confirmed"/);
  const [before, confirmedBefore] = [await outcomes(), await confirmed()];
  expect((await postToHub(hub, form)).status).toBe(202);
  await waitUntil(async () => expect(await outcomes()).toBe(before + 1));
  return (await confirmed()) > confirmedBefore;
}

let published = 0;

/** Publishes another notification of the series that `numbered` writes, so that it is no repeat of one before. */
export async function publishNext(hub: TestHub, numbered: (number: number) => string): Promise<string> {
  published += 1;
  const document = numbered(published);
  expect((await hub.publish(document)).status).toBe(202);
  return document;
}

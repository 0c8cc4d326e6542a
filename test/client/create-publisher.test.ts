import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { CannotBuildNotification } from "../../src/client/build-notification.ts";
import { createPublisher } from "../../src/client/create-publisher.ts";
import { NotAChannel } from "../../src/client/publish-notification.ts";
import { HubUnreachable } from "../../src/client/until-decided.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { publisherToken as token, startTestHub } from "../support/start-hub.ts";

const uri = "https://maps.example.org/maps/1";
const change = { uri, change: "updated" } as const;

const intervalOf = (document: string): string[] =>
  ["from", "until"].map((name) => new RegExp(` ${name}="([^"]*)"`).exec(document)?.[1] ?? "");

describe.each(["embedded", "redis"] as const)("publishing to a hub, %s engine", (engine) => {
  test("intervals adjoin, from one notification to the next and from one program to the next (§3)", async () => {
    await using hub = await startTestHub({ engine });
    const channelUrl = `${hub.baseUrl}/sets/maps/change-notification`;
    const documents: string[] = [];
    for (let program = 0; program < 2; program += 1) {
      const publisher = createPublisher({ channelUrl, token });
      for (let number = 0; number < 2; number += 1) {
        const outcome = await publisher.publish([change]);
        expect(outcome).toMatchObject({ kind: "accepted", changes: 1, warnings: [] });
        documents.push(outcome.document);
      }
    }
    const intervals = documents.map(intervalOf);
    expect(intervals.slice(1).map(([from]) => from)).toEqual(
      intervals.slice(0, -1).map(([, until]) => until),
    );
    expect(await (await hub.get("/sets/maps/change-notification")).text()).toBe(documents.at(-1));
  });

  test("notifications that are published at the same moment go out one after the other", async () => {
    await using hub = await startTestHub({ engine });
    const channelUrl = `${hub.baseUrl}/sets/maps/change-notification`;
    const publisher = createPublisher({ channelUrl, token });
    const outcomes = await Promise.all([1, 2, 3].map(() => publisher.publish([change])));
    const intervals = outcomes.map(({ document }) => intervalOf(document));
    // As times: what is written with fewer digits sorts elsewhere as a text.
    const times = intervals.flat().map((time) => Date.parse(time));
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(outcomes.flatMap((outcome) => (outcome.kind === "accepted" ? outcome.warnings : []))).toEqual([]);
  });
});

test("an older change widens the interval instead of being lost; the hub warns of the overlap (S02)", async () => {
  await using hub = await startTestHub();
  const channelUrl = `${hub.baseUrl}/sets/maps/change-notification`;
  const publisher = createPublisher({ channelUrl, token });
  await publisher.publish([change], { until: "2026-03-02T10:00:00Z" });
  const late = [{ ...change, datetime: "2026-03-02T09:59:59Z" }];
  const outcome = await publisher.publish(late, { until: "2026-03-02T11:00:00Z" });
  expect(intervalOf(outcome.document)).toEqual(["2026-03-02T09:59:59Z", "2026-03-02T11:00:00Z"]);
  expect(outcome).toMatchObject({ kind: "accepted", warnings: [{ rule: "S02" }] });
});

test("a refusal is an outcome with its faults, and the next notification is sent all the same", async () => {
  await using hub = await startTestHub({ yaml: 'sets: [{ id: maps, title: Maps, profile: "0.8" }]' });
  const publisher = createPublisher({ channelUrl: `${hub.baseUrl}/sets/maps/change-notification`, token });
  const outcome = await publisher.publish([change]);
  if (outcome.kind !== "refused") throw new Error(outcome.kind);
  expect(outcome.problem.status).toBe(422);
  expect(outcome.problem.faults.length).toBeGreaterThan(0);
  expect(await publisher.publish([change])).toMatchObject({ kind: "refused" });
});

test("changes that make no notification throw, and nothing is sent", async () => {
  await using hub = await startTestHub();
  const publisher = createPublisher({ channelUrl: `${hub.baseUrl}/sets/maps/change-notification`, token });
  await expect(publisher.publish([])).rejects.toThrow(CannotBuildNotification);
  const bad = [{ ...change, datetime: "yesterday" }];
  await expect(publisher.publish(bad)).rejects.toThrow(/yesterday/);
  expect(await publisher.publish([change])).toMatchObject({ kind: "accepted" });
});

/** Answers POSTs with these, then as a channel; `cut` ends the connection when the notification has arrived. */
async function startAnswers(answers: readonly ("cut" | "not a hub")[]) {
  const posts: { readonly key: unknown; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.method === "GET") {
        response.writeHead(204).end();
        return;
      }
      const answer = answers[posts.length];
      posts.push({ key: request.headers["idempotency-key"], body });
      if (answer === "cut") request.socket.destroy();
      else if (answer === "not a hub") response.end("hello");
      else response.end(JSON.stringify({ position: "k3j9x2a1-1", changes: 1, warnings: [] }));
    });
  });
  const channelUrl = await listenOnLoopback(server);
  return { channelUrl, posts, [Symbol.asyncDispose]: () => closeServer(server) };
}

test("after HubUnreachable, the same changes are the same notification under the same key", async () => {
  await using hub = await startAnswers(["cut"]);
  const publisher = createPublisher({ channelUrl: hub.channelUrl, token, attempts: 1 });
  await expect(publisher.publish([change])).rejects.toThrow(HubUnreachable);
  expect(await publisher.publish([change])).toMatchObject({ kind: "accepted" });
  expect(hub.posts).toHaveLength(2);
  expect(hub.posts[1]).toEqual(hub.posts[0]);
});

test("other changes after HubUnreachable come after what was not certain", async () => {
  await using hub = await startAnswers(["cut"]);
  const publisher = createPublisher({ channelUrl: hub.channelUrl, token, attempts: 1 });
  await expect(publisher.publish([change])).rejects.toThrow(HubUnreachable);
  await publisher.publish([{ uri: `${uri}2`, change: "created" }]);
  const [first, again, second] = hub.posts;
  expect(again).toEqual(first);
  expect(second?.key).not.toBe(first?.key);
  expect(intervalOf(second?.body ?? "")[0]).toBe(intervalOf(first?.body ?? "")[1]);
});

test("what is no channel is told, and the same changes make a new notification afterwards", async () => {
  await using hub = await startAnswers(["not a hub"]);
  const publisher = createPublisher({ channelUrl: hub.channelUrl, token });
  await expect(publisher.publish([change])).rejects.toThrow(NotAChannel);
  expect(await publisher.publish([change])).toMatchObject({ kind: "accepted" });
  expect(new Set(hub.posts.map(({ key }) => key)).size).toBe(2);
});

import { describe, expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { startTopicServer, type TopicServer } from "../support/topic-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const yaml = ({ origin }: TopicServer): string =>
  `sets: [{ id: maps, topics: { change-notification: "${origin}/changes" } }]\n`;

const ping = (hub: TestHub, url: string): Promise<Response> =>
  fetch(`${hub.baseUrl}/websub`, {
    method: "POST",
    body: new URLSearchParams({ "hub.mode": "publish", "hub.url": url }),
  });

async function fetches(hub: TestHub, outcome: string): Promise<number> {
  const text = await (await hub.get("/metrics")).text();
  return Number(text.split(`hub_topic_fetches_total{outcome="${outcome}"} `)[1]?.split("\n")[0] ?? 0);
}

describe.each(["embedded", "redis"] as const)(
  "a set's topic that lives at the Source, %s engine",
  (engine) => {
    test("what stands there when it is pinged is judged, appended and delivered, once", async () => {
      await using source = await startTopicServer();
      await using hub = await startTestHub({ engine, yaml: yaml(source) });
      await using callbacks = await startCallbackServer();
      const topic = `${source.origin}/changes`;
      await subscribe(hub, callbacks, { topic });
      const put = (body: string) =>
        source.put("/changes", { headers: { "Content-Type": "application/xml" }, body });

      put("");
      expect((await ping(hub, topic)).status).toBe(202);
      await waitUntil(async () => expect(await fetches(hub, "unchanged")).toBe(1));

      put(changeNotification(1));
      for (const n of [1, 2]) {
        await ping(hub, topic);
        await waitUntil(async () =>
          expect((await fetches(hub, "changed")) + (await fetches(hub, "unchanged"))).toBe(n + 1),
        );
      }
      put("<urlset>not a notification</urlset>");
      await ping(hub, topic);
      await waitUntil(async () => expect(await fetches(hub, "refused")).toBe(1));

      put(changeNotification(2));
      await ping(hub, topic);
      await waitUntil(() => expect(callbacks.deliveries).toHaveLength(2));
      expect(callbacks.deliveries.map(({ body }) => body.toString())).toEqual([
        changeNotification(1),
        changeNotification(2),
      ]);
      const [delivery] = callbacks.deliveries;
      expect(delivery?.headers["content-type"]).toBe("application/xml");
      expect(delivery?.headers["link"]).toBe(`<${hub.baseUrl}/websub>; rel="hub", <${topic}>; rel="self"`);
    });
  },
);

test("the next fetch of a set's topic is conditional, for the document that was taken", async () => {
  await using source = await startTopicServer();
  await using hub = await startTestHub({ yaml: yaml(source) });
  const put = (tag: string, body: string) => source.put("/changes", { headers: { ETag: tag }, body });
  put('"1"', changeNotification(1));
  await ping(hub, `${source.origin}/changes`);
  await waitUntil(async () => expect(await fetches(hub, "changed")).toBe(1));
  await ping(hub, `${source.origin}/changes`);
  await waitUntil(async () => expect(await fetches(hub, "unchanged")).toBe(1));
  put('"bad"', "<urlset/>");
  await ping(hub, `${source.origin}/changes`);
  await waitUntil(async () => expect(await fetches(hub, "refused")).toBe(1));
  await ping(hub, `${source.origin}/changes`);
  await waitUntil(async () => expect(await fetches(hub, "refused")).toBe(2));
  expect(source.requests.map(({ headers }) => headers["if-none-match"])).toEqual([
    undefined,
    '"1"',
    '"1"',
    '"1"',
  ]);
});

/** An open Change List of the Source, with one entry for each of the minutes. */
const changeList = (...minutes: readonly number[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="https://maps.example.org/capabilitylist.xml"/>
<rs:md capability="changelist" from="2026-11-20T00:00:00Z"/>
${minutes
  .map(
    (minute) =>
      `<url><loc>https://maps.example.org/maps/${minute}</loc><rs:md change="updated" datetime="2026-11-20T00:0${minute}:00Z"/></url>`,
  )
  .join("\n")}
</urlset>
`;

test.each([
  ["the set's topic", (at: string) => `topics: { change-notification: "${at}" }`],
  ["the Source's own Change List", (at: string) => `capabilities: { changelist: "${at}" }`],
])("a Change List at %s that is pinged: only what is new in it is published", async (_name, keys) => {
  await using source = await startTopicServer();
  const list = `${source.origin}/changes`;
  await using hub = await startTestHub({ yaml: `sets: [{ id: maps, ${keys(list)} }]\n` });
  await using callbacks = await startCallbackServer();
  const topic = keys(list).startsWith("topics") ? list : `${hub.baseUrl}/sets/maps/change-notification`;
  await subscribe(hub, callbacks, { topic });
  const pingAfter = async (body: string): Promise<void> => {
    source.put("/changes", { headers: { "Content-Type": "application/xml" }, body });
    const before = source.requests.length;
    expect((await ping(hub, list)).status).toBe(202);
    await waitUntil(() => expect(source.requests.length).toBeGreaterThan(before));
  };
  await pingAfter(changeList(1));
  await pingAfter(changeList(1, 2));
  await waitUntil(() => expect(callbacks.deliveries).toHaveLength(1));
  await pingAfter(changeList(1, 2));
  await pingAfter(changeList(1, 2, 3));
  await waitUntil(() => expect(callbacks.deliveries).toHaveLength(2));
  const told = callbacks.deliveries.map(({ body }) =>
    [...body.toString().matchAll(/maps\/(\d)</g)].map(([, minute]) => minute),
  );
  expect(told).toEqual([["2"], ["3"]]);
});

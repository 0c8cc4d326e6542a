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

import { expect, test } from "vitest";
import { connectEventReader } from "../live/event-reader.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { engineNames } from "../support/engines.ts";
import { startTestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type ListServer, startListServer } from "../watching/list-server.ts";
import { changeList, changeListIndex, iso } from "../watching/watched-hub.ts";

// Whole seconds: the hub writes a fraction without its last zeros.
const began = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const at = (second: number): number => began + second * 1000;
const entry = (number: number) => ({ uri: `https://maps.example.org/${number}`, at: at(number) });
const list = (...numbers: readonly number[]): string => changeList(numbers.map(entry), { from: began });
const path = "/changelist.xml";
const yamlFor = ({ origin }: ListServer): string =>
  `sets: [{ id: maps, watch: "${origin}${path}" }]\nwatching: { min: 100ms, max: 300ms }\n`;
const urisIn = (text: string): number[] =>
  [...text.matchAll(/<loc>https:\/\/maps\.example\.org\/(\d+)<\/loc>/g)].map(([, number]) => Number(number));
const looksAt = (source: ListServer, status: number): number =>
  source.requests.filter((request) => request.path === path && request.status === status).length;

test.each(engineNames)(
  "a list that grows is pushed to readers and callbacks, each change once, also over a restart (%s)",
  async (engine) => {
    await using source = await startListServer();
    await using callback = await startCallbackServer();
    source.put(path, list(1, 2));
    const yaml = yamlFor(source);
    await using first = await startTestHub({ engine, yaml });
    const { directory, prefix } = first;
    const port = Number(new URL(first.baseUrl).port);
    const topic = `${first.baseUrl}/sets/maps/change-notification`;
    using reader = await connectEventReader(topic);
    await subscribe(first, callback);
    await waitUntil(() => expect(looksAt(source, 304)).toBeGreaterThan(0));

    source.put(path, list(1, 2, 3, 4));
    await waitUntil(() => expect(urisIn(reader.text())).toEqual([3, 4]));
    await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
    await first.close();

    source.put(path, list(3, 4, 5));
    await using second = await startTestHub({ engine, yaml, directory, prefix, port });
    source.put(path, list(5, 6));
    await waitUntil(() =>
      expect(callback.deliveries.flatMap(({ body }) => urisIn(body.toString()))).toEqual([3, 4, 5, 6]),
    );
    const intervals = callback.deliveries.map(({ body }) =>
      /from="([^"]+)" until="([^"]+)"/.exec(body.toString()),
    );
    expect(intervals[0]?.[1]).toBe(iso(at(2)));
    expect(intervals.slice(1).map((interval) => interval?.[1])).toEqual(
      intervals.slice(0, -1).map((interval) => interval?.[2]),
    );
    await second.close();
  },
);

test("of an index the lists that may hold something new are read, closed ones too", async () => {
  await using source = await startListServer();
  const named = (name: string, from: number, until?: number) => ({
    url: `${source.origin}/${name}.xml`,
    from: at(from),
    ...(until === undefined ? {} : { until: at(until) }),
  });
  source.put("/a.xml", list(1, 2));
  source.put("/b.xml", list(12));
  source.put(path, changeListIndex([named("a", 0, 10), named("b", 10)], began));
  await using hub = await startTestHub({ yaml: yamlFor(source) });
  await waitUntil(() => expect(looksAt(source, 200)).toBeGreaterThan(1));

  source.put("/b.xml", list(12, 13));
  source.put("/c.xml", list(21));
  source.put(path, changeListIndex([named("a", 0, 10), named("b", 10, 20), named("c", 20)], began));
  await waitUntil(async () => {
    const text = await (await hub.get("/sets/maps/changelist.xml")).text();
    expect(urisIn(text)).toEqual([13, 21]);
  });
  expect(source.requests.filter((request) => request.path === "/a.xml")).toEqual([]);
});

test("nothing is taken of a faulty list, and the change is taken when it is mended", async () => {
  await using source = await startListServer();
  source.put(path, list(1));
  await using hub = await startTestHub({ yaml: yamlFor(source) });
  await waitUntil(() => expect(looksAt(source, 304)).toBeGreaterThan(0));
  source.put(path, list(1, 2).replace('change="updated" datetime="', 'change="moved" datetime="'));
  await waitUntil(async () => {
    const metrics = await (await hub.get("/metrics")).text();
    expect(metrics).toMatch(/hub_watch_looks_total\{set="maps",outcome="failed"\} \d/);
  });
  expect(await (await hub.get("/metrics")).text()).not.toContain("hub_watch_changes_total{");
  source.put(path, list(1, 2));
  await waitUntil(async () => {
    expect(urisIn(await (await hub.get("/sets/maps/changelist.xml")).text())).toEqual([2]);
  });
});

test("two processes on one Redis publish each change once", async () => {
  await using source = await startListServer();
  source.put(path, list(1));
  const yaml = yamlFor(source);
  await using one = await startTestHub({ engine: "redis", yaml });
  await using two = await startTestHub({ engine: "redis", yaml, prefix: one.prefix });
  await waitUntil(() => expect(looksAt(source, 304)).toBeGreaterThan(0));
  using reader = await connectEventReader(`${two.baseUrl}/sets/maps/change-notification`);
  for (let last = 2; last <= 6; last += 1) {
    source.put(path, list(...Array.from({ length: last }, (_, index) => index + 1)));
    await waitUntil(() => expect(urisIn(reader.text())).toContain(last));
  }
  expect(urisIn(reader.text())).toEqual([2, 3, 4, 5, 6]);
});

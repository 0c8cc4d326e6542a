import { describe, expect, test } from "vitest";
import { formatInstant } from "../../src/protocol/instant.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { parseSetId } from "../../src/channels/channel.ts";
import { keepSet } from "../../src/resources/kept-set.ts";
import { engineNames, openEngine, silentEvents, type TestEngine } from "../support/engines.ts";
import { newNotification } from "../support/new-notification.ts";
import { changes, origin, resourceList, time } from "../support/resource-lists.ts";

const id = parseSetId("maps");
if (id === undefined) throw new Error("no set");
const { sets } = createChannels({
  baseUrl: "https://hub.example",
  sets: [{ id, capabilities: {}, profile: "auto", channels: "websub", topics: {} }],
});
const set = sets[0]!;
const channel = set.channels[0]!.id;

function keeping(engine: TestEngine, { refresh = 0, now = Date.now } = {}) {
  return keepSet(set, {
    store: engine.resources,
    log: engine.log,
    fetch: async () => ({ kind: "failed", reason: "nothing is fetched here" }),
    events: silentEvents,
    maxBytes: 1_000_000,
    lists: { entries: 50_000, refresh },
    now,
    stopping: new AbortController().signal,
  });
}
async function* pieces(text: string) {
  yield Buffer.from(text);
}
const map = (n: number): string => `${origin}/maps/${n}`;

async function listed(engine: TestEngine): Promise<string[]> {
  const { state } = (await engine.resources.head(channel))!;
  const all: string[] = [];
  for await (const some of engine.resources.listed(channel, state.generation)) all.push(...some);
  return all.map((xml) => /<loc>(.*)<\/loc>/.exec(xml)?.[1] ?? "").toSorted();
}

describe.each(engineNames)("folding on %s", (name) => {
  test("by several processes at once gives what one gives", async () => {
    await using one = await openEngine(name);
    const kept = [keeping(one), keeping(one), keeping(one)];
    expect(await kept[0]!.take(pieces(resourceList([])))).toMatchObject({ kind: "taken", resources: 0 });
    for (let n = 0; n < 60; n += 1) {
      const change = n % 3 === 2 ? ("deleted" as const) : ("created" as const);
      const uri = map(n % 3 === 2 ? n - 1 : n);
      const document = changes(n, n + 1, [{ uri, change, at: n + 1 }]);
      await one.log.append(channel, newNotification(document));
      if (n % 10 === 5) await Promise.all(kept.flatMap((each) => [each.keepUp(), each.current()]));
    }
    await Promise.all(kept.map((each) => each.keepUp()));
    await Promise.all(kept.map((each) => each.current()));
    await kept[1]!.keepUp();
    const wanted = Array.from({ length: 20 }, (_, n) => map(n * 3)).toSorted();
    expect(await listed(one)).toEqual(wanted);
    const head = await one.resources.head(channel);
    expect(head).toMatchObject({ resources: 20, state: { cursor: 60 } });
    expect(formatInstant(head!.state.coveredUntil)).toBe(time(60));
  });

  test("of a notification larger than one step of the store is complete", async () => {
    await using engine = await openEngine(name);
    const kept = keeping(engine);
    await kept.take(pieces(resourceList([{ uri: map(1) }])));
    const told = Array.from({ length: 4500 }, (_, n) => ({ uri: map(n), change: "updated" as const, at: 1 }));
    await engine.log.append(channel, newNotification(changes(0, 1, told)));
    await kept.keepUp();
    expect(await engine.resources.head(channel)).toMatchObject({ resources: 4500, state: { cursor: 1 } });
  });

  test("a baseline to which the log no longer reaches back is refused", async () => {
    await using engine = await openEngine(name);
    const kept = keeping(engine);
    for (let n = 0; n < 3; n += 1) await engine.log.append(channel, newNotification(changes(n, n + 1, [])));
    await engine.log.trimBefore(channel, 3);
    const outcome = await kept.take(pieces(resourceList([])));
    expect(outcome).toMatchObject({
      kind: "unusable",
      reason: expect.stringContaining("Send a newer Resource List"),
    });
    expect(await kept.current()).toBeUndefined();
  });
});

test("notifications of 0.8 change the list, and leave its at where it was", async () => {
  await using engine = await openEngine("embedded");
  const kept = keeping(engine);
  await kept.take(pieces(resourceList([{ uri: map(1) }])));
  const old = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
    <url><loc>${map(1)}</loc><lastmod>${time(1)}</lastmod><rs:md change="deleted"/></url>
    <url><loc>${map(2)}</loc><lastmod>${time(2)}</lastmod><rs:md change="created"/></url></urlset>`;
  await engine.log.append(channel, newNotification(old));
  await kept.keepUp();
  expect(await listed(engine)).toEqual([map(2)]);
  expect(formatInstant((await kept.head())!.state.coveredUntil)).toBe(time(0));
});

test("a snapshot is not written again before it is old enough, nor while nothing changes", async () => {
  await using engine = await openEngine("embedded");
  let clock = Date.now();
  const kept = keeping(engine, { refresh: 1000, now: () => clock });
  const edition = async (): Promise<string> => {
    const lists = await kept.current();
    return typeof lists === "object" ? lists.edition : String(lists);
  };
  await kept.take(pieces(resourceList([])));
  const first = await edition();
  clock += 5000;
  expect(await edition()).toBe(first);
  await engine.log.append(channel, newNotification(changes(0, 1, [])));
  const second = await edition();
  expect(second).not.toBe(first);
  await engine.log.append(channel, newNotification(changes(1, 2, [])));
  expect(await edition()).toBe(second);
});

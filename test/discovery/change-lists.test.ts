import { describe, expect, test } from "vitest";
import { formatInstant, instantAt } from "../../src/protocol/instant.ts";
import { engineNames, openEngine } from "../support/engines.ts";
import { entriesOf, expectValid, link, top } from "./check.ts";
import { baseUrl, listsOn, listUrl, notification, publish, topUrl } from "./notifications.ts";

const iso = (milliseconds: number): string => formatInstant(instantAt(milliseconds));
const uri = (n: number): string => `https://maps.example.org/${n}`;
const one = (n: number, minute = n): string =>
  notification([[uri(n), `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`]]);
const locs = (text: string): string[] => entriesOf(text).map(({ loc }) => loc);
const times = (text: string): (string | undefined)[] => entriesOf(text).map(({ md }) => md["datetime"]);

describe.each(engineNames)("Change Lists on the %s engine", (name) => {
  test("before any notification there is an open list with nothing in it, the same for every process", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine);
    const text = await lists.topText();
    expectValid(text);
    expect(entriesOf(text)).toEqual([]);
    expect(link(text, "up")).toBe(`${baseUrl}/sets/maps/capabilitylist.xml`);
    expect(await listsOn(engine, { now: () => Date.now() + 60_000 }).topText()).toBe(text);
  });

  test("as long as none is closed, the open list stands at both URLs, without an index link (core 1.1 §12.1)", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine);
    await publish(engine, one(1));
    await publish(engine, one(2));
    const text = await lists.topText();
    expectValid(text);
    expect(locs(text)).toEqual([uri(1), uri(2)]);
    expect(top(text)).toEqual({ capability: "changelist", from: "2026-01-01T00:00:00Z" });
    expect(link(text, "index")).toBeUndefined();
    expect(await lists.listText(1)).toBe(text);
  });

  test("a list is closed before the notification that would be too many; an index takes its place (core 1.1 §12.2)", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 3 });
    const received = [];
    for (const payload of [
      one(1),
      notification([
        [uri(2), "2026-01-01T00:02:00Z"],
        [uri(3), "2026-01-01T00:03:00Z"],
      ]),
    ]) {
      received.push((await publish(engine, payload)).receivedAt);
    }
    expect(link(await lists.topText(), "index")).toBeUndefined();
    await publish(engine, one(4));

    const index = await lists.topText();
    expectValid(index);
    expect(index).toContain("<sitemapindex");
    const [first, second] = [await lists.listText(1), await lists.listText(2)];
    const until = iso(received[1]!);
    expect(entriesOf(index).map(({ loc, md }) => [loc, md])).toEqual([
      [listUrl(1), { from: "2026-01-01T00:00:00Z", until }],
      [listUrl(2), { from: until }],
    ]);
    expect(top(index)).toEqual({ capability: "changelist", from: "2026-01-01T00:00:00Z" });
    for (const text of [first, second]) {
      expectValid(text);
      expect(link(text, "index")).toBe(topUrl);
      expect(link(text, "up")).toBe(`${baseUrl}/sets/maps/capabilitylist.xml`);
    }
    expect(top(first)).toMatchObject({ from: "2026-01-01T00:00:00Z", until });
    expect(top(second)).toEqual({ capability: "changelist", from: until });
    expect([locs(first), locs(second)]).toEqual([[uri(1), uri(2), uri(3)], [uri(4)]]);
  });

  test("a closed list never changes a byte: whatever is published, closed or started anew after it (rule S12)", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 1 });
    await publish(engine, one(1));
    await publish(engine, one(2));
    const first = await lists.listText(1);
    expect(top(first)["until"]).toBeDefined();
    for (let n = 3; n < 8; n += 1) await publish(engine, one(n));
    expect(await lists.listText(1)).toBe(first);
    expect(locs(await lists.topText())).toHaveLength(7);
    await using reopened = await engine.reopen();
    expect(await listsOn(reopened, { entries: 500 }).listText(1)).toBe(first);
  });

  test("a notification that is larger than a list has a list to itself, and is never divided", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 2 });
    const five = [1, 2, 3, 4, 5].map((n) => [uri(n), "2026-01-01T00:01:00Z"] as const);
    await publish(engine, one(0));
    await publish(engine, notification(five));
    await publish(engine, one(6));
    await lists.topText();
    expect(locs(await lists.listText(2))).toHaveLength(5);
    expect(locs(await lists.listText(3))).toEqual([uri(6)]);
  });

  test("a list is closed when it has held entries for its period, and never while it is empty", async () => {
    await using engine = await openEngine(name);
    let now = Date.now();
    const lists = listsOn(engine, { period: 1000, now: () => now });
    now += 100_000;
    expect(await lists.topText()).toContain("<urlset");
    now = Date.now();
    const { receivedAt } = await publish(engine, one(1));
    await publish(engine, notification([]));
    expect(await lists.topText()).toContain("<urlset");
    now = receivedAt + 1000;
    const index = await lists.topText();
    expect(index).toContain("<sitemapindex");
    now += 100_000;
    expect(await lists.topText()).toBe(index);
    expect(entriesOf(await lists.listText(2))).toEqual([]);
  });

  test("entries run forward in time: late and overlapping ones follow where they came, none is after its receipt (T11, T12)", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 4 });
    await publish(engine, one(1, 30));
    await publish(engine, one(2, 10));
    const { receivedAt } = await publish(engine, notification([[uri(3), "2199-01-01T00:00:00Z"]]));
    await publish(engine, one(4, 40));
    const text = await lists.topText();
    expectValid(text);
    const received = iso(receivedAt);
    expect(times(text)).toEqual(["2026-01-01T00:30:00Z", "2026-01-01T00:30:00Z", received, received]);
    await publish(engine, one(5, 50));
    const { md } = entriesOf(await lists.topText())[1]!;
    expect(times(await lists.listText(2))).toEqual([md["from"]]);
  });

  test("a datetime that is missing is the notification's until, or the lastmod of notification 0.8", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine);
    await publish(
      engine,
      notification([`<url><loc>${uri(1)}</loc><lastmod>2001-01-01</lastmod><rs:md change="created"/></url>`]),
    );
    await publish(
      engine,
      notification([
        `<url><loc>${uri(2)}</loc><lastmod>2026-01-01T02:00:00Z</lastmod><rs:md change="deleted"/></url>`,
      ]).replace(/<rs:md capability[^>]*>/, ""),
    );
    expect(entriesOf(await lists.topText()).map(({ lastmod, md }) => [lastmod, md])).toEqual([
      ["2001-01-01", { change: "created", datetime: "2026-01-01T01:00:00Z" }],
      ["2026-01-01T02:00:00Z", { change: "deleted", datetime: "2026-01-01T02:00:00Z" }],
    ]);
  });

  test("what describes the representation, and the links of an entry, are carried over", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine);
    const md = {
      change: "updated",
      datetime: "2026-01-01T00:05:00Z",
      hash: "md5:1584abdf8ebdc9802ac0c6a7402c03b6",
      length: "8876",
      type: "text/html",
    };
    await publish(
      engine,
      notification([
        `<url>
      <loc> https://maps.example.org/a?b=1&amp;c='2' </loc>
      <lastmod>2026-01-01T00:05:00Z</lastmod>
      <rs:md hash="${md.hash}" length="8876" type="text/html" change="updated" datetime="2026-01-01T01:05:00+01:00"/>
      <rs:ln rel="describedby" href="https://maps.example.org/a.xml?x=1&amp;y=2" type="application/xml"/>
      <rs:ln rel="duplicate" pri="1" href="https://mirror.example.org/a"/>
    </url>`,
      ]),
    );
    const text = await lists.topText();
    expectValid(text);
    expect(entriesOf(text).map((entry) => ({ ...entry, loc: entry.loc.trim() }))).toEqual([
      {
        loc: "https://maps.example.org/a?b=1&c='2'",
        lastmod: "2026-01-01T00:05:00Z",
        md,
        links: [
          { rel: "describedby", href: "https://maps.example.org/a.xml?x=1&y=2", type: "application/xml" },
          { rel: "duplicate", href: "https://mirror.example.org/a", pri: "1" },
        ],
      },
    ]);
  });

  test("two processes that read at different moments serve the same bytes, and close each list once", async () => {
    await using engine = await openEngine(name);
    const [a, b] = [listsOn(engine, { entries: 2 }), listsOn(engine, { entries: 2 })];
    const random = [3, 1, 2, 1, 1, 3, 2, 1, 1, 1];
    for (const [index, count] of random.entries()) {
      const entries = Array.from(
        { length: count },
        (_, n) => [uri(index * 10 + n), "2026-01-01T00:00:01Z"] as const,
      );
      await publish(engine, notification(entries));
      if (index % 3 === 0) await a.topText();
      if (index % 4 === 0) await Promise.all([a.topText(), b.topText(), b.topText()]);
    }
    const index = await a.topText();
    expect(await b.topText()).toBe(index);
    const fresh = listsOn(engine, { entries: 2 });
    for (let n = 1; n <= entriesOf(index).length; n += 1) {
      const text = await a.listText(n);
      expect(await b.listText(n)).toBe(text);
      expect(await fresh.listText(n)).toBe(text);
      expect(locs(text).length).toBeLessThanOrEqual(3);
    }
    const total = await Promise.all(
      entriesOf(index).map(async (_, n) => locs(await a.listText(n + 1)).length),
    );
    expect(total.reduce((sum, count) => sum + count)).toBe(16);
  });

  test("building the open list costs a read of its own part of the log, and of each notification once", async () => {
    await using engine = await openEngine(name);
    let read = 0;
    const log = {
      ...engine.log,
      read: async (...given: Parameters<typeof engine.log.read>) => {
        const page = await engine.log.read(...given);
        read += page.length;
        return page;
      },
    };
    const lists = listsOn({ ...engine, log }, { entries: 10 });
    for (let n = 0; n < 35; n += 1) await publish(engine, one(n));
    await lists.topText();
    read = 0;
    for (let n = 0; n < 5; n += 1) await lists.topText();
    for (let n = 1; n <= 3; n += 1) await lists.listText(n);
    expect(read).toBe(0);
    await publish(engine, one(36));
    await lists.topText();
    expect(read).toBe(1);
    read = 0;
    await listsOn({ ...engine, log }, { entries: 10 }).topText();
    expect(read).toBe(6);
  });
});

import { createServer } from "node:http";
import { get as httpGet } from "node:http";
import { describe, expect, test } from "vitest";
import { problem } from "../support/answers.ts";
import {
  baselineSync,
  changes,
  type Listed,
  origin,
  putBaseline,
  resourceList,
  resourceListIndex,
  time,
  unpacked,
} from "../support/resource-lists.ts";
import { type EngineName, startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

const fresh = "resourceLists: { refresh: 0s }\n";
const map = (n: number): string => `${origin}/maps/${n}`;
const maps = (count: number): Listed[] =>
  Array.from({ length: count }, (_, n) => ({ uri: map(n), hash: "a" }));
const listOf = (hub: TestHub): string => `${hub.baseUrl}/sets/maps/resourcelist.xml`;

async function take(hub: TestHub, body: string): Promise<unknown> {
  const response = await putBaseline(hub, body);
  expect(response.status).toBe(200);
  return response.json();
}
async function publish(hub: TestHub, document: string): Promise<void> {
  expect((await hub.publish(document)).status).toBe(202);
}

describe.each<EngineName>(["embedded", "redis"])("the Resource List of a hub on %s", (engine) => {
  test("is the baseline with every later change, and goes on after a restart", async () => {
    const hub = await startTestHub({ engine, yaml: fresh });
    const answer = await take(hub, resourceList(maps(5)));
    expect(answer).toMatchObject({ entries: 5, position: expect.stringMatching(/-0$/), warnings: [] });
    expect(await baselineSync(listOf(hub))).toMatchObject({ at: time(0), lists: 1 });

    await publish(
      hub,
      changes(-1, 2, [
        { uri: map(0), change: "updated", at: 1, hash: "b" },
        { uri: map(1), change: "deleted", at: 1 },
        { uri: map(90), change: "created", at: 2 },
      ]),
    );
    const first = await baselineSync(listOf(hub));
    expect(first.at).toBe(time(2));
    expect(first.completed > first.at).toBe(true);
    expect(Object.fromEntries(first.resources)).toEqual({
      [map(0)]: "b",
      [map(2)]: "a",
      [map(3)]: "a",
      [map(4)]: "a",
      [map(90)]: "",
    });
    await publish(hub, changes(2, 3, [{ uri: map(2), change: "deleted", at: 3 }]));
    await hub.close();

    const { directory, prefix } = hub;
    await using again = await startTestHub({ engine, yaml: fresh, directory, prefix });
    await publish(again, changes(3, 4, [{ uri: map(1), change: "created", at: 4, hash: "c" }]));
    const last = await baselineSync(listOf(again));
    expect(last.at).toBe(time(4));
    expect([...last.resources.keys()].toSorted()).toEqual([0, 1, 3, 4, 90].map(map).toSorted());
    expect(last.resources.get(map(1))).toBe("c");
  });

  test("of more resources than one list takes is an index of lists of one snapshot", async () => {
    await using hub = await startTestHub({ engine, yaml: "resourceLists: { refresh: 0s, entries: 10 }\n" });
    await take(hub, resourceList(maps(35)));
    const before = await (await fetch(listOf(hub))).text();
    expect(before).toContain("<sitemapindex");
    const one = await baselineSync(listOf(hub));
    expect([one.lists, one.resources.size]).toEqual([4, 35]);

    const part = await (await fetch(`${hub.baseUrl}/sets/maps/resourcelists/1.xml`)).text();
    expect(part).toContain(`<rs:ln rel="up" href="${hub.baseUrl}/sets/maps/capabilitylist.xml"/>`);
    expect(part).toContain(`<rs:ln rel="index" href="${listOf(hub)}"/>`);

    await publish(hub, changes(0, 1, [{ uri: map(99), change: "created", at: 1 }]));
    expect((await baselineSync(listOf(hub))).resources.size).toBe(36);
    // Whoever began with the index before reads on in its lists.
    expect(await (await fetch(`${hub.baseUrl}/sets/maps/resourcelists/1.xml`)).text()).toBe(part);
    await publish(hub, changes(1, 2, [{ uri: map(99), change: "deleted", at: 2 }]));
    await baselineSync(listOf(hub));
    const gone = await fetch(`${hub.baseUrl}/sets/maps/resourcelists/1.xml`);
    expect(gone.status).toBe(404);
    expect((await problem(gone)).detail).toContain(listOf(hub));
  });

  test("is not there, and not advertised, for a set without a baseline", async () => {
    await using hub = await startTestHub({ engine, yaml: fresh });
    await publish(hub, changes(0, 1, [{ uri: map(1), change: "created", at: 1 }]));
    const missing = await hub.get("/sets/maps/resourcelist.xml");
    expect(missing.status).toBe(404);
    expect((await problem(missing)).detail).toMatch(
      /no baseline.*PUT a Resource List to .*sets\[\].baseline/,
    );
    const capabilities = async () => (await hub.get("/sets/maps/capabilitylist.xml")).text();
    const robots = async () => (await hub.get("/robots.txt")).text();
    expect(await capabilities()).not.toContain("resourcelist");
    expect(await robots()).toBe("User-agent: *\nDisallow:\n");
    await take(hub, resourceList([]));
    expect(await capabilities()).toMatch(/resourcelist\.xml<\/loc>\s*<rs:md capability="resourcelist"\/>/);
    expect(await robots()).toBe(`User-agent: *\nDisallow:\n\nSitemap: ${listOf(hub)}\n`);
    // What was published before the baseline but after its moment is in the list.
    expect([...(await baselineSync(listOf(hub))).resources.keys()]).toEqual([map(1)]);
  });

  test("stays as it was when the next baseline is refused, and is replaced by a good one", async () => {
    await using hub = await startTestHub({ engine, yaml: fresh });
    await take(hub, resourceList(maps(3)));
    const bad = resourceList([...maps(1500), { uri: "no uri" }, ...maps(5)], time(1));
    const refused = await putBaseline(hub, bad);
    expect(refused.status).toBe(422);
    const { faults } = await problem(refused);
    expect(faults[0]).toMatchObject({ rule: "C10", path: "/urlset/url[1501]/loc", line: 1503 });
    expect((await putBaseline(hub, bad.slice(0, 5000))).status).toBe(400);
    expect((await putBaseline(hub, changes(0, 1, []))).status).toBe(422);
    expect((await putBaseline(hub, resourceList(maps(1)), "wrong")).status).toBe(401);
    expect((await baselineSync(listOf(hub))).resources.size).toBe(3);

    await take(hub, resourceList(maps(2), time(5)));
    await publish(hub, changes(3, 4, [{ uri: map(0), change: "deleted", at: 4 }]));
    const synced = await baselineSync(listOf(hub));
    expect([synced.at, [...synced.resources.keys()]]).toEqual([time(5), [map(0), map(1)]]);
  });
});

test("at stays where intervals leave a gap, and a late change does not undo a later one", async () => {
  await using hub = await startTestHub({ yaml: fresh });
  await take(hub, resourceList(maps(2)));
  await publish(hub, changes(1, 3, [{ uri: map(0), change: "deleted", at: 3 }]));
  await publish(hub, changes(1, 2, [{ uri: map(0), change: "updated", at: 2 }]));
  const gap = await baselineSync(listOf(hub));
  expect([gap.at, [...gap.resources.keys()]]).toEqual([time(0), [map(1)]]);
});

test("a list is read conditionally, compressed or not, with links, and is valid XML throughout", async () => {
  await using hub = await startTestHub();
  await take(hub, resourceList([{ uri: `${origin}/?a=1&amp;b=2`, hash: "d" }]));
  const plain = await fetch(listOf(hub), { headers: { "Accept-Encoding": "identity" } });
  const text = await plain.text();
  expect(plain.headers.get("content-type")).toBe("application/xml");
  expect(plain.headers.get("link")).toBe(`<${hub.baseUrl}/sets/maps/capabilitylist.xml>; rel="resourcesync"`);
  expect(text).toContain(`<loc>${origin}/?a=1&amp;b=2</loc>`);
  expect(text).toContain("<lastmod>2026-01-02T10:00:00Z</lastmod>");
  const packed = await new Promise<Buffer>((resolve, reject) => {
    httpGet(listOf(hub), { headers: { "Accept-Encoding": "gzip" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    }).on("error", reject);
  });
  expect(unpacked(packed)).toBe(text);
  const known = { "Accept-Encoding": "identity", "If-None-Match": plain.headers.get("etag") ?? "" };
  expect((await fetch(listOf(hub), { headers: known })).status).toBe(304);
  // Within `refresh` the snapshot stays, whatever comes.
  await publish(hub, changes(0, 1, [{ uri: map(9), change: "created", at: 1 }]));
  expect((await fetch(listOf(hub), { headers: known })).status).toBe(304);
  // What the hub writes, it takes: the list is a baseline itself.
  expect(await take(hub, text)).toMatchObject({ entries: 1, warnings: [] });
});

describe("a baseline from the Source's site", () => {
  const lists: Record<string, string> = {};
  async function startSource() {
    const server = createServer((request, response) => {
      const body = lists[request.url ?? ""];
      response.writeHead(body === undefined ? 404 : 200, { "Content-Type": "application/xml" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    lists["/index.xml"] = resourceListIndex([`${url}/1.xml`, `${url}/2.xml`]);
    lists["/broken.xml"] = resourceListIndex([`${url}/1.xml`, `${url}/none.xml`]);
    lists["/1.xml"] = resourceList(maps(1200));
    lists["/2.xml"] = resourceList([{ uri: map(2000) }]);
    return {
      url,
      [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
    };
  }
  const withBaseline = (url: string): string => `sets: [{ id: maps, baseline: "${url}" }]\n${fresh}`;

  test("is fetched at the start, with all lists of an index", async () => {
    await using source = await startSource();
    await using hub = await startTestHub({ yaml: withBaseline(`${source.url}/index.xml`) });
    await waitUntil(async () => {
      expect((await baselineSync(listOf(hub))).resources.size).toBe(1201);
    });
  });

  test("is taken whole or not at all, and the answer names the list that failed", async () => {
    await using source = await startSource();
    await using hub = await startTestHub({ yaml: fresh });
    const answer = await putBaseline(hub, lists["/broken.xml"] ?? "");
    expect(answer.status).toBe(422);
    expect((await problem(answer)).detail).toContain(
      `${source.url}/none.xml could not be fetched: it answers 404`,
    );
    expect((await hub.get("/sets/maps/resourcelist.xml")).status).toBe(404);
  });

  test("is not fetched from a private address that is not allowed", async () => {
    await using hub = await startTestHub({ yaml: fresh });
    const answer = await putBaseline(hub, resourceListIndex(["http://10.0.0.1/list.xml"]));
    expect(answer.status).toBe(422);
    expect((await problem(answer)).detail).toMatch(/10\.0\.0\.1.*may not be called/);
  });
});

/**
 * What the Resource List of a large set costs: taking its baseline, folding changes, writing the snapshot, serving a list; and
 * how much memory the hub takes for it.
 *
 *   npx tsx bench/resource-list.ts [resources] [redis URL]
 */
import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../src/config.ts";
import { startHub } from "../src/hub.ts";
import { silentLogger } from "../src/observability/logger.ts";
import { tokenSha256 } from "../src/security/access-token.ts";

const perList = 50_000;
const token = "rsp_bench";
const names =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const up = '<rs:ln rel="up" href="https://e.example/capabilitylist.xml"/>';
const instant = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
const began = Date.now() - 60_000;

const entry = (n: number): string =>
  `<url><loc>https://repository.example.org/records/${n}</loc><lastmod>2026-01-01T00:00:00Z</lastmod>` +
  `<rs:md hash="sha-256:${String(n).padStart(64, "0")}" length="${n}" type="application/pdf"/></url>\n`;

function list(from: number, until: number): string {
  const entries = Array.from({ length: until - from }, (_, index) => entry(from + index));
  return `<urlset ${names}>${up}<rs:md capability="resourcelist" at="${instant(began)}"/>${entries.join("")}</urlset>`;
}

function changes(notification: number, count: number, resources: number): string {
  const [from, until] = [instant(began + notification * 1000), instant(began + (notification + 1) * 1000)];
  const entries = Array.from({ length: count }, (_, index) => {
    const uri = `https://repository.example.org/records/${(notification * count + index) % resources}`;
    return `<url><loc>${uri}</loc><rs:md change="updated" datetime="${until}"/></url>`;
  });
  return `<urlset ${names}>${up}<rs:md capability="change-notification" from="${from}" until="${until}"/>${entries.join("")}</urlset>`;
}

/** Heap and all that is not the store's own map of its file, in MB. */
const memory = (): string => {
  const { rss, heapUsed, external } = process.memoryUsage();
  return `RSS ${Math.round(rss / 1e6)} MB, heap ${Math.round(heapUsed / 1e6)} MB, external ${Math.round(external / 1e6)} MB`;
};
let [largest, slowest, lastTick] = [0, 0, performance.now()];
const watch = setInterval(() => {
  largest = Math.max(largest, process.memoryUsage().rss);
  slowest = Math.max(slowest, performance.now() - lastTick - 20);
  lastTick = performance.now();
}, 20);

async function timed<Outcome>(what: string, action: () => Promise<Outcome>): Promise<Outcome> {
  [slowest, lastTick] = [0, performance.now()];
  const start = performance.now();
  const outcome = await action();
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  console.log(`${what}: ${seconds} s; longest halt ${Math.round(slowest)} ms; ${memory()}`);
  return outcome;
}

const resources = Number(process.argv[2] ?? 1_000_000);
const redis = process.argv[3];
const source = createServer((request, response) => {
  const from = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0) * perList;
  response.end(list(from, Math.min(from + perList, resources)));
});
await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
const address = source.address();
const port = typeof address === "object" && address !== null ? address.port : 0;
const urls = Array.from(
  { length: Math.ceil(resources / perList) },
  (_, n) => `http://127.0.0.1:${port}/${n}`,
);
const index = `<sitemapindex ${names}>${up}<rs:md capability="resourcelist" at="${instant(began)}"/>${urls
  .map((url) => `<sitemap><loc>${url}</loc></sitemap>`)
  .join("")}</sitemapindex>`;

const data = await mkdtemp(join(tmpdir(), "hub-bench-"));
const flags = { data, port: "0", ...(redis === undefined ? {} : { redis }) };
const env = { HUB_REDIS_PREFIX: redis === undefined ? "" : `bench${Date.now()}` };
const { config } = await loadConfig({ flags, env });
const hub = await startHub(
  {
    ...config,
    publishers: [{ name: "bench", tokenSha256: tokenSha256(token), sets: "all" }],
    resourceLists: { entries: perList, refresh: 0 },
  },
  silentLogger,
);
const headers = { "Content-Type": "application/xml", Authorization: `Bearer ${token}` };
const listUrl = `${hub.baseUrl}/sets/demo/resourcelist.xml`;
const read = async (url: string): Promise<string> => (await fetch(url)).text();
/** A snapshot that takes longer than a reader waits is there when the index is. */
const settled = async (before: string): Promise<string> => {
  for (;;) {
    const response = await fetch(listUrl);
    const text = await response.text();
    if (response.ok && text !== before) return text;
  }
};

console.log(`${resources} resources, ${redis === undefined ? "embedded" : "Redis"}; at rest ${memory()}`);
const answer = await timed("baseline", () => fetch(listUrl, { method: "PUT", body: index, headers }));
console.log(await answer.text());
const first = await timed("first snapshot", () => settled(""));
await timed("publish 200 notifications of 500 changes", async () => {
  for (let n = 0; n < 200; n += 1) {
    const body = changes(n, 500, resources);
    await fetch(`${hub.baseUrl}/sets/demo/change-notification`, { method: "POST", body, headers });
  }
});
const second = await timed("fold 100000 changes and write a snapshot", () => settled(first));
const [one = ""] = [...second.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => url);
if (one.endsWith(".xml")) {
  const text = await timed("serve one list, gzip", () => read(one));
  console.log(`${text.length} characters, ${text.split("<url>").length - 1} resources`);
  await timed("serve 20 lists at once, gzip", () => Promise.all(Array.from({ length: 20 }, () => read(one))));
}
console.log(`largest RSS ${Math.round(largest / 1e6)} MB`);
clearInterval(watch);
await hub.close();
source.close();
await rm(data, { recursive: true, force: true });

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entriesOf, expectValid, parsed } from "../discovery/check.ts";
import { connectReader } from "../live/socket-reader.ts";
import { engineNames } from "../support/engines.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

const uri = (n: number): string => `https://maps.example.org/${n}`;
const day = Date.UTC(2026, 0, 1);
const time = (minute: number): string => new Date(day + minute * 60_000).toISOString();

let made = 0;

/** A notification whose entries were changed at these minutes; their URIs are new each time. */
function notificationOf(minutes: readonly number[]): { readonly document: string; readonly uris: string[] } {
  const uris = minutes.map(() => uri((made += 1)));
  const urls = uris.map((loc, n) => {
    const datetime = time(minutes[n]!);
    return `<url><loc>${loc}</loc><rs:md change="updated" datetime="${datetime}"/></url>`;
  });
  const [from, until] = [time(Math.min(...minutes)), time(Math.max(...minutes))];
  const document = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="change-notification" from="${from}" until="${until}"/>${urls.join("")}</urlset>`;
  return { document, uris };
}

async function publishAll(hub: TestHub, series: readonly (readonly number[])[]): Promise<string[]> {
  const all: string[] = [];
  for (const minutes of series) {
    const { document, uris } = notificationOf(minutes);
    const answer = await hub.publish(document);
    expect([answer.status, answer.status === 202 ? "" : await answer.text()]).toEqual([202, ""]);
    all.push(...uris);
  }
  return all;
}

/** A Destination that knows core 1.1 and nothing else: it polls, and goes on from the datetime of the last change that it has. */
function pullDestination(sourceUrl: string) {
  const has: string[] = [];
  let last = "";
  /** How many of the changes of that datetime it has. */
  let atLast = 0;
  const get = async (url: string): Promise<string> => (await fetch(url)).text();
  const isIndex = (text: string): boolean => parsed(text).form === "sitemapindex";

  async function changeListUrl(): Promise<string> {
    const [set] = entriesOf(await get(sourceUrl));
    const capabilities = entriesOf(await get(set?.loc ?? ""));
    return capabilities.find(({ md }) => md["capability"] === "changelist")?.loc ?? "";
  }

  async function poll(): Promise<void> {
    const text = await get(await changeListUrl());
    expectValid(text);
    const lists = isIndex(text)
      ? entriesOf(text).filter(
          ({ md }) =>
            md["until"] === undefined || Date.parse(md["until"]) >= Date.parse(last || "1970-01-01"),
        )
      : undefined;
    const texts = lists === undefined ? [text] : await Promise.all(lists.map(({ loc }) => get(loc)));
    let skip = atLast;
    for (const list of texts) {
      expectValid(list);
      for (const { loc, md } of entriesOf(list)) {
        const datetime = md["datetime"] ?? "";
        if (last !== "" && Date.parse(datetime) < Date.parse(last)) continue;
        if (datetime === last && skip > 0) {
          skip -= 1;
          continue;
        }
        has.push(loc);
        atLast = datetime === last ? atLast + 1 : 1;
        if (datetime !== last) skip = 0;
        last = datetime;
      }
    }
  }
  return { has, poll, endedAt: () => last };
}

/** In order, late, overlapping, at the same moment, in the future: as Sources are. */
const untidy = [[1], [2, 2, 3], [4], [1], [0, 5], [5], [5, 5], [400_000_000], [6], [7, 8], [8], [9], [3, 9]];

describe.each(engineNames)("a Destination that pulls, on the %s engine", (engine) => {
  test("reads every change once and in the order of publication, polling across several closings (core 1.1 §12)", async () => {
    await using hub = await startTestHub({ engine, yaml: "changeLists: { entries: 3 }\n" });
    const destination = pullDestination(`${hub.baseUrl}/.well-known/resourcesync`);
    const published: string[] = [];
    await destination.poll();
    for (const minutes of untidy) {
      published.push(...(await publishAll(hub, [minutes])));
      if (published.length % 2 === 0) await destination.poll();
    }
    await destination.poll();
    expect(destination.has).toEqual(published);
    const late = pullDestination(`${hub.baseUrl}/.well-known/resourcesync`);
    await late.poll();
    expect(late.has).toEqual(published);
    expect(entriesOf(await (await hub.get("/sets/maps/changelist.xml")).text()).length).toBeGreaterThan(4);
  });

  test("and then connects after the datetime at which it ended: nothing is missing between the two", async () => {
    await using hub = await startTestHub({ engine, yaml: "changeLists: { entries: 4 }\n" });
    const destination = pullDestination(`${hub.baseUrl}/.well-known/resourcesync`);
    const published = await publishAll(hub, untidy);
    await destination.poll();
    published.push(...(await publishAll(hub, untidy)));
    const socket = `${hub.baseUrl.replace("http", "ws")}/sets/maps/change-notification`;
    using reader = connectReader(socket, destination.endedAt());
    await waitUntil(() => expect(reader.messages().at(-1)?.type).toBe("caught-up"));
    published.push(...(await publishAll(hub, [[10], [4]])));
    const heard = () => reader.payloads().flatMap((text) => entriesOf(text).map(({ loc }) => loc));
    await waitUntil(() => expect(heard()).toContain(published.at(-1)));
    expect(new Set([...destination.has, ...heard()])).toEqual(new Set(published));
    expect(reader.messages().filter(({ type }) => type === "gap")).toEqual([]);
  });

  test("what the log let go of is in the lists that a late live reader is pointed to", async () => {
    const directory = await mkdtemp(join(tmpdir(), "hub-lists-"));
    const [port, prefix] = [await freePort(), `t${crypto.randomUUID().slice(0, 8)}`];
    const place = { engine, directory, prefix, port };
    const published: string[] = [];
    let position: string;
    {
      await using hub = await startTestHub(place);
      const { document, uris } = notificationOf([1]);
      position = String(Object(await (await hub.publish(document)).json()).position);
      published.push(...uris, ...(await publishAll(hub, [[2], [3], [4]])));
    }
    await using hub = await startTestHub({ ...place, yaml: "log: { max: 1 }\n" });
    const socket = `${hub.baseUrl.replace("http", "ws")}/sets/maps/change-notification`;
    const changeList = `${hub.baseUrl}/sets/maps/changelist.xml`;
    await waitUntil(async () => {
      using reader = connectReader(socket, position);
      await waitUntil(() => expect(reader.messages().at(-1)?.type).toBe("caught-up"));
      expect(reader.messages()[0]).toMatchObject({ type: "gap", changeList });
    });
    using plain = connectReader(socket, position, { protocols: [] });
    const { code, reason } = await plain.closed;
    expect(code).toBe(4010);
    expect(reason).toContain(`read ${changeList}, then resume with ?after=`);

    const destination = pullDestination(`${hub.baseUrl}/.well-known/resourcesync`);
    await destination.poll();
    expect(destination.has).toEqual(published);
    await rm(directory, { recursive: true, force: true });
  });
});

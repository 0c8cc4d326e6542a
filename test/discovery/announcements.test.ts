import { describe, expect, test } from "vitest";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";
import type { AnnouncedDocuments } from "../../src/discovery/announced-documents.ts";
import { announcingLists } from "../../src/discovery/announce-lists.ts";
import { createAnnouncer } from "../../src/discovery/framework-announcement.ts";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import { engineNames, openEngine, silentEvents, type TestEngine } from "../support/engines.ts";
import { entriesOf, link } from "./check.ts";
import { baseUrl, listsOn, listUrl, notification, publish, topUrl } from "./notifications.ts";

const maps = parseSetId("maps")!;
const letters = parseSetId("letters")!;
const frameworkOf = (set = maps) => channelIdOf(set, "framework-notification");

const one = (n: number): string => notification([[`https://maps.example.org/${n}`, "2026-01-01T00:05:00Z"]]);

async function announced({ log }: Pick<TestEngine, "log">, set = maps): Promise<string[]> {
  const page = await log.read(frameworkOf(set), 0, 1000);
  return page.map(({ payload }) => payload.toString());
}

function expectAccepted(text: string, profile: "1.0.1" | "1.0" | "0.8"): void {
  const verdict = judgeNotification(Buffer.from(text), "framework-notification", profile);
  expect(verdict).toMatchObject({ kind: "valid", warnings: [] });
}

describe.each(engineNames)("what the hub announces of its own Change Lists, on the %s engine", (name) => {
  test("a closing: the closed list was updated and the next one created, under their index (framework notification 1.0.1 §3)", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 1 });
    for (const n of [1, 2]) await publish(engine, one(n));
    await lists.round();
    const [text = "", ...more] = await announced(engine);
    expect(more).toEqual([]);
    for (const profile of ["1.0.1", "1.0"] as const) expectAccepted(text, profile);
    expect(link(text, "up")).toBe(`${baseUrl}/sets/maps/capabilitylist.xml`);
    const { list } = (await engine.lists.read(channelIdOf(maps, "change-notification"), 1))!;
    const datetime = new Date(list.closedAt).toISOString();
    const links = [{ rel: "index", href: topUrl }];
    expect(entriesOf(text)).toEqual([
      {
        loc: listUrl(1),
        lastmod: undefined,
        md: { change: "updated", capability: "changelist", datetime },
        links,
      },
      {
        loc: listUrl(2),
        lastmod: undefined,
        md: { change: "created", capability: "changelist", datetime },
        links,
      },
    ]);
  });

  test("a set that takes notification 0.8 only gets the form of 0.8", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 1, profile: "0.8" });
    for (const n of [1, 2]) await publish(engine, one(n));
    await lists.round();
    const [text = ""] = await announced(engine);
    expectAccepted(text, "0.8");
  });

  test("each closing is announced once, in order, however many processes and rounds there are", async () => {
    await using engine = await openEngine(name);
    const processes = [1, 2, 3].map(() => listsOn(engine, { entries: 1 }));
    for (let n = 1; n <= 6; n += 1) {
      await publish(engine, one(n));
      await Promise.all(processes.map(({ round }) => round()));
    }
    await processes[0]!.round();
    const first = (await announced(engine)).map((text) => entriesOf(text)[0]?.loc);
    expect(first).toEqual([1, 2, 3, 4, 5].map(listUrl));
  });

  test("a closing that a crash left unannounced is announced by the next round", async () => {
    await using engine = await openEngine(name);
    for (const n of [1, 2]) await publish(engine, one(n));
    await listsOn(engine, { entries: 1 }).topText();
    expect(await announced(engine)).toEqual([]);
    await using reopened = await engine.reopen();
    await listsOn(reopened, { entries: 1 }).round();
    expect(await announced(reopened)).toHaveLength(1);
  });
});

describe.each(engineNames)("what the hub announces of its configuration, on the %s engine", (name) => {
  const settings = (resourcelist?: string, ids = [maps, letters]) =>
    ids.map((id) => ({
      id,
      capabilities: resourcelist === undefined || id !== maps ? {} : { resourcelist },
      profile: "auto" as const,
      channels: "websub" as const,
      topics: {},
    }));

  async function start(
    { log, announced: documents }: TestEngine,
    sets: ReturnType<typeof settings>,
    hasResourceList: () => boolean = () => false,
  ) {
    const look = announcingLists({
      channels: createChannels({ baseUrl, sets }),
      describedBy: undefined,
      documentsOf: () => ({}),
      resourceLists: { has: async () => hasResourceList() },
      announced: documents,
      announce: createAnnouncer({ log, events: silentEvents }),
      now: Date.now,
    });
    await look();
    return look;
  }

  test("the first start, and one that changes nothing, announce nothing", async () => {
    await using engine = await openEngine(name);
    await start(engine, settings());
    await start(engine, settings());
    expect([...(await announced(engine)), ...(await announced(engine, letters))]).toEqual([]);
  });

  test("a Capability List that names a Resource List from now on is announced while the hub runs, once", async () => {
    await using engine = await openEngine(name);
    let hasBaseline = false;
    const look = await start(engine, settings(undefined, [maps]), () => hasBaseline);
    await look();
    expect(await announced(engine)).toEqual([]);
    hasBaseline = true;
    await look();
    await look();
    expect(await announced(engine)).toHaveLength(1);
  });

  test("processes with an old and a new configuration do not announce against each other", async () => {
    await using engine = await openEngine(name);
    const old = await start(engine, settings());
    const recent = await start(engine, settings("https://maps.example.org/1.xml"));
    for (let round = 0; round < 3; round += 1) {
      await old();
      await recent();
    }
    expect(await announced(engine)).toHaveLength(1);
  });

  test("a changed Capability List is announced to its own set, each time, and once by several processes (§2)", async () => {
    await using engine = await openEngine(name);
    await start(engine, settings());
    const at = (n: number) => settings(`https://maps.example.org/${n}.xml`);
    for (const n of [1, 2, 1, 2])
      await Promise.all([start(engine, at(n)), start(engine, at(n)), start(engine, at(n))]);
    const texts = await announced(engine);
    expect(texts).toHaveLength(4);
    for (const text of texts) {
      expectAccepted(text, "1.0.1");
      expect(link(text, "up")).toBe(`${baseUrl}/.well-known/resourcesync`);
      expect(entriesOf(text)).toMatchObject([
        {
          loc: `${baseUrl}/sets/maps/capabilitylist.xml`,
          md: { change: "updated", capability: "capabilitylist" },
        },
      ]);
    }
    expect(await announced(engine, letters)).toEqual([]);
  });

  test("a set whose list cannot be announced keeps nobody from hearing of the others and of the Source Description", async () => {
    await using engine = await openEngine(name);
    await start(engine, settings(undefined, [maps]));
    const broken = parseSetId("broken")!;
    const announcedDocuments = {
      ...engine.announced,
      put: async (...[document, row]: Parameters<AnnouncedDocuments["put"]>): Promise<void> => {
        if (document.includes(broken)) throw new Error("not this one");
        await engine.announced.put(document, row);
      },
    };
    const looking = start({ ...engine, announced: announcedDocuments }, settings(undefined, [maps, broken]));
    await expect(looking).rejects.toThrow("not this one");
    const texts = await announced(engine);
    expect(texts.map((text) => entriesOf(text)[0]?.loc)).toEqual([`${baseUrl}/.well-known/resourcesync`]);
  });

  test("a changed Source Description is announced on every framework channel (§2, rule S07)", async () => {
    await using engine = await openEngine(name);
    await start(engine, settings(undefined, [maps]));
    await start(engine, settings());
    for (const set of [maps, letters]) {
      const [text = "", ...more] = await announced(engine, set);
      expect(more).toEqual([]);
      expectAccepted(text, "1.0.1");
      expect(entriesOf(text)).toMatchObject([
        { loc: `${baseUrl}/.well-known/resourcesync`, md: { change: "updated", capability: "description" } },
      ]);
    }
  });
});

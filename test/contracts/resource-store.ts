import { describe, expect, test } from "vitest";
import { instantAt } from "../../src/protocol/instant.ts";
import type { ResourceState } from "../../src/resources/resource-state.ts";
import { type ResourceRow, resourceKey, type ResourceStore } from "../../src/resources/resource-store.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";

const channel = testChannel();

function state(changes: Partial<ResourceState> = {}): ResourceState {
  return {
    generation: "one",
    baselineAt: instantAt(1000),
    cursor: 0,
    coveredUntil: instantAt(1000),
    knownUntil: instantAt(2000),
    written: null,
    earlier: null,
    writingUntil: 0,
    ...changes,
  };
}

function row(name: string, at: number, xml = `<url>${name} ${at}</url>`): ResourceRow {
  return { key: resourceKey(`https://maps.example.org/${name}`), changedAt: instantAt(at), xml };
}

async function listed(store: ResourceStore, edition: string): Promise<string[]> {
  const all: string[] = [];
  for await (const some of store.listed(channel, edition)) all.push(...some);
  return all;
}

/** What every store of resources keeps to, whatever stores it. */
export function resourceStoreContract(engine: EngineName): void {
  describe("resources", () => {
    test("an edition is filled, put in force, and there after a restart, ordered and complete", async () => {
      await using one = await openEngine(engine);
      const { resources: store } = one;
      expect(await store.head(channel)).toBeUndefined();
      const rows = Array.from({ length: 2500 }, (_, n) => row(String(n).padStart(4, "0"), 0));
      expect(await store.fill(channel, "one", rows.slice(1200).toReversed())).toBe(1300);
      expect(await store.fill(channel, "one", rows.slice(0, 1300))).toBe(1200);
      expect(await store.replace(channel, 0, state(), 2500)).toBe(true);
      await using two = await one.reopen();
      expect(await two.resources.head(channel)).toEqual({ revision: 1, resources: 2500, state: state() });
      expect(await listed(two.resources, "one")).toEqual(rows.map(({ xml }) => xml));
      expect(await listed(two.resources, "two")).toEqual([]);
      expect(await two.resources.head(testChannel("atlas"))).toBeUndefined();
    });

    test("rows and head move together, and only for who knows the revision", async () => {
      await using engineOne = await openEngine(engine);
      const { resources: store } = engineOne;
      await store.fill(channel, "one", [row("a", 0), row("b", 0)]);
      await store.replace(channel, 0, state(), 2);
      const moved = state({ cursor: 7 });
      const changes = [row("c", 10), row("a", 10, "")];
      expect(await store.change(channel, 1, moved, changes)).toBe(true);
      expect(await store.head(channel)).toEqual({ revision: 2, resources: 2, state: moved });
      expect(await store.change(channel, 1, state({ cursor: 9 }), [row("d", 20)])).toBe(false);
      expect(await store.replace(channel, 1, state({ cursor: 9 }), 0)).toBe(false);
      expect(await store.head(channel)).toMatchObject({ revision: 2, state: { cursor: 7 } });
      expect(await listed(store, "one")).toEqual([row("b", 0).xml, row("c", 10).xml]);
    });

    test("no row goes back behind a later change, be it a deletion; the same again changes nothing", async () => {
      await using engineOne = await openEngine(engine);
      const { resources: store } = engineOne;
      await store.replace(channel, 0, state(), 0);
      const changes = [row("a", 30), row("a", 20, ""), row("b", 30, ""), row("b", 29), row("b", 30, "")];
      expect(await store.change(channel, 1, state(), changes)).toBe(true);
      expect(await store.change(channel, 2, state(), changes)).toBe(true);
      expect(await listed(store, "one")).toEqual([row("a", 30).xml]);
      expect(await store.change(channel, 3, state(), [row("b", 30), row("a", 30, "")])).toBe(true);
      expect(await listed(store, "one")).toEqual([row("b", 30).xml]);
      expect((await store.head(channel))?.resources).toBe(1);
    });

    test("of changes of the same revision at once, one is done", async () => {
      await using engineOne = await openEngine(engine);
      const { resources: store } = engineOne;
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.change(channel, 0, state(), [row(String(n), 1)])),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.head(channel)).toMatchObject({ revision: 1, resources: 1 });
    });

    test("URIs may be as long as they like, and have any character", async () => {
      await using engineOne = await openEngine(engine);
      const { resources: store } = engineOne;
      const long = "ä/".repeat(3000);
      await store.replace(channel, 0, state(), 0);
      await store.change(channel, 1, state(), [row(`${long}1`, 1), row(`${long}2`, 1), row("ß", 1)]);
      expect((await store.head(channel))?.resources).toBe(3);
      await store.change(channel, 2, state(), [row(`${long}1`, 2, "")]);
      expect(new Set(await listed(store, "one"))).toEqual(new Set([row(`${long}2`, 1).xml, row("ß", 1).xml]));
    });

    test("blocks are given back as they were; what is dropped is gone, and nothing else", async () => {
      await using engineOne = await openEngine(engine);
      const { resources: store } = engineOne;
      for (const [edition, begunAt] of [
        ["one", 10],
        ["two", 20],
        ["three", 30],
      ] as const) {
        await store.begin(channel, edition, begunAt);
        await store.fill(
          channel,
          edition,
          Array.from({ length: 1500 }, (_, n) => row(String(n), 1)),
        );
        await store.putBlock(channel, edition, 1, 0, Buffer.from([0, 255, begunAt]));
      }
      expect(await store.block(channel, "two", 1, 0)).toEqual(Buffer.from([0, 255, 20]));
      expect(await store.block(channel, "two", 1, 1)).toBeUndefined();
      await store.drop(channel, ["one"], 30);
      const left = await Promise.all(["one", "two", "three"].map((edition) => listed(store, edition)));
      expect(left.map(({ length }) => length)).toEqual([1500, 0, 1500]);
      expect(await store.block(channel, "two", 1, 0)).toBeUndefined();
      expect(await store.block(channel, "three", 1, 0)).toEqual(Buffer.from([0, 255, 30]));
    });
  });
}

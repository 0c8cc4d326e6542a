import { describe, expect, test } from "vitest";
import { createPendingFetches } from "../../src/topics/pending-fetches.ts";
import { type FetchedTopic, idOfTopicElsewhere } from "../../src/topics/topic-elsewhere.ts";
import { updateTopic } from "../../src/topics/topic-store.ts";
import { type EngineName, openEngine } from "../support/engines.ts";

const url = "https://blog.example.org/feed?ä=%7e";

function newTopic(parts: Partial<FetchedTopic> = {}): FetchedTopic {
  const at = parts.url ?? url;
  return {
    id: idOfTopicElsewhere(at),
    url: at,
    self: null,
    hubs: ["https://hub.example.org/"],
    validators: { url: at, etag: '"ä"', lastModified: null },
    digest: "d",
    sequence: 7,
    fetchedAt: 1_700_000_000_001,
    wantedAt: 1_700_000_000_002,
    revision: 1,
    ...parts,
  };
}

/** What every store of fetched topics keeps to, whatever stores it. */
export function topicStoreContract(engine: EngineName): void {
  describe("fetched topics", () => {
    test("what was put is found by id, by URL and by self, after a restart, too", async () => {
      await using one = await openEngine(engine);
      const [a, b] = [
        newTopic({ self: "https://blog.example.org/" }),
        newTopic({ url: "https://b.example/" }),
      ];
      for (const topic of [a, b]) expect(await one.topicStore.replace(undefined, topic)).toBe(true);
      await using two = await one.reopen();
      expect(await two.topicStore.find(a.id)).toEqual(a);
      expect(await two.topicStore.find(idOfTopicElsewhere("https://c.example/"))).toBeUndefined();
      expect(await two.topicStore.all()).toHaveLength(2);
      for (const name of [url, "https://BLOG.example.org:443/feed?ä=~", "https://blog.example.org"])
        expect(await two.topicStore.named(name)).toEqual([a]);
      expect(await two.topicStore.named("https://blog.example.org/fee")).toEqual([]);
    });

    test("two topics can have one self, and a self that changes is a name no more", async () => {
      await using store = await openEngine(engine);
      const self = "https://blog.example.org/";
      const [a, b] = [newTopic({ self }), newTopic({ url: "https://blog.example.org/feed.rss", self })];
      for (const topic of [a, b]) await store.topicStore.replace(undefined, topic);
      expect(await store.topicStore.named(self)).toHaveLength(2);
      await updateTopic(store.topicStore, a.id, (before) => ({ ...before, self: null }));
      expect(await store.topicStore.named(self)).toEqual([b]);
      expect(await store.topicStore.remove(b)).toBe(true);
      expect(await store.topicStore.named(self)).toEqual([]);
    });

    test("of those who change a topic at the same time from the same state, one does", async () => {
      await using store = await openEngine(engine);
      const topic = newTopic();
      const put = await Promise.all(
        Array.from({ length: 5 }, () => store.topicStore.replace(undefined, topic)),
      );
      expect(put.filter(Boolean)).toHaveLength(1);
      await Promise.all(
        Array.from({ length: 10 }, () =>
          updateTopic(store.topicStore, topic.id, (before) => ({ ...before, sequence: before.sequence + 1 })),
        ),
      );
      expect(await store.topicStore.find(topic.id)).toMatchObject({ sequence: 17, revision: 11 });
      expect(await store.topicStore.remove(topic)).toBe(false);
      expect(await updateTopic(store.topicStore, idOfTopicElsewhere("x"), (before) => before)).toBe(false);
    });
  });

  describe("what pings have fetched", () => {
    const start = async () => {
      const clock = { now: 1_700_000_000_000 };
      const store = await openEngine(engine);
      return { clock, store, pending: createPendingFetches(store.pendingRows, () => clock.now) };
    };

    test("a ping is claimed once, by another when the claim has lapsed, and never after it was answered", async () => {
      const { clock, store, pending } = await start();
      await using _store = store;
      await pending.remember("a");
      const claims = (await Promise.all([1, 2, 3].map(() => pending.claim(5000, 10)))).flat();
      expect(claims).toMatchObject([{ target: "a", failures: 0 }]);
      clock.now += 5000;
      const [again] = await pending.claim(5000, 10);
      const [first] = claims;
      if (first === undefined || again === undefined) throw new Error("not claimed");
      await pending.settle(first, { kind: "failed", retryAt: 0 });
      expect(await pending.claim(5000, 10)).toEqual([]);
      await pending.settle(again, { kind: "answered" });
      clock.now += 60_000;
      expect(await pending.claim(5000, 10)).toEqual([]);
      expect(await store.pendingRows.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });

    test("pings during a fetch are answered by one more, a second later; a restart loses none", async () => {
      const { clock, store, pending } = await start();
      await pending.remember("a");
      const [claim] = await pending.claim(5000, 10);
      if (claim === undefined) throw new Error("not claimed");
      for (let n = 0; n < 3; n += 1) await pending.remember("a");
      await pending.settle(claim, { kind: "answered" });
      await using reopened = await store.reopen();
      const after = createPendingFetches(reopened.pendingRows, () => clock.now);
      expect(await after.claim(5000, 10)).toEqual([]);
      clock.now += 1000;
      expect(await after.claim(5000, 10)).toMatchObject([{ target: "a", pings: 4 }]);
      if (engine === "redis") await store[Symbol.asyncDispose]();
    });

    test("a ping of what fails comes before its next try, but the more it fails the less often", async () => {
      const { clock, store, pending } = await start();
      await using _store = store;
      for (const [failures, wait] of [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [
        n,
        Math.min(1000 * 2 ** n, 60_000),
      ])) {
        await pending.remember("a");
        const [claim] = await pending.claim(5000, 10);
        if (claim === undefined) throw new Error("not claimed");
        expect(claim.failures).toBe(failures);
        await pending.settle(claim, { kind: "failed", retryAt: clock.now + 3_600_000 });
        clock.now += (wait ?? 0) - 1;
        await pending.remember("a");
        expect(await pending.claim(5000, 10)).toEqual([]);
        clock.now += 1;
      }
    });

    test("what was called off is due at once, and the earliest come first", async () => {
      const { clock, store, pending } = await start();
      await using _store = store;
      for (const target of ["c", "a", "b"]) {
        await pending.remember(target);
        clock.now += 1;
      }
      const claims = await pending.claim(5000, 2);
      expect(claims.map(({ target }) => target)).toEqual(["c", "a"]);
      for (const claim of claims) await pending.settle(claim, { kind: "abandoned" });
      expect((await pending.claim(5000, 10)).map(({ target }) => target).toSorted()).toEqual(["a", "b", "c"]);
    });
  });
}

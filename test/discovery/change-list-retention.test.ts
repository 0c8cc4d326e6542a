import { describe, expect, test } from "vitest";
import { formatInstant, instantAt } from "../../src/protocol/instant.ts";
import { engineNames, openEngine } from "../support/engines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { entriesOf, expectValid, top } from "./check.ts";
import { changes, listsOn, listUrl, notification, publish } from "./notifications.ts";

const iso = (milliseconds: number): string => formatInstant(instantAt(milliseconds));
const uri = (n: number): string => `https://maps.example.org/${n}`;
const one = (n: number, minute = n): string =>
  notification([[uri(n), `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`]]);
const locs = (text: string): string[] => entriesOf(text).map(({ loc }) => loc);

describe.each(engineNames)("Change Lists and retention on the %s engine", (name) => {
  test("the log lets go only of what a closed list holds, and the lists go on without a gap", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 100 });
    for (let n = 1; n <= 5; n += 1) await publish(engine, one(n));
    await lists.beforeTrim(changes, 3);
    await engine.log.trimBefore(changes, 4);
    await publish(engine, one(6));
    const [first, second] = entriesOf(await lists.topText());
    expect(second?.md["from"]).toBe(first?.md["until"]);
    expect(locs(await lists.listText(1))).toHaveLength(5);
    await lists.beforeTrim(changes, 3);
    expect(entriesOf(await lists.topText())).toHaveLength(2);
    expect(locs(await listsOn(engine).listText(2))).toEqual([uri(6)]);
  });

  test("empty notifications that leave the log are no gap", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine);
    await publish(engine, notification([], { from: "2025-12-31T00:00:00Z" }));
    const before = await lists.topText();
    await lists.beforeTrim(changes, 1);
    await engine.log.trimBefore(changes, 2);
    expect(await lists.topText()).toBe(before);
    expect(await listsOn(engine).topText()).toBe(before);
  });

  test("where notifications left the log before a list held them, the next list does not claim to have them", async () => {
    await using engine = await openEngine(name);
    const lists = listsOn(engine, { entries: 1 });
    await publish(engine, one(1));
    await publish(engine, one(2));
    await lists.topText();
    const lost = await publish(engine, one(3));
    await waitUntil(() => expect(Date.now()).toBeGreaterThan(lost.receivedAt));
    const { receivedAt } = await publish(engine, one(4));
    await engine.log.trimBefore(changes, 4);
    const fresh = listsOn(engine, { entries: 1 });
    const [first, second] = entriesOf(await fresh.topText());
    expect(second?.md).toEqual({ from: iso(receivedAt) });
    expect(receivedAt).toBeGreaterThan(Date.parse(first?.md["until"] ?? ""));
    const text = await fresh.listText(2);
    expectValid(text);
    expect(locs(text)).toEqual([uri(4)]);
  });

  test("a store that already had a trimmed log begins its first list where the log begins", async () => {
    await using engine = await openEngine(name);
    for (let n = 1; n <= 3; n += 1) await publish(engine, one(n));
    await engine.log.trimBefore(changes, 3);
    const text = await listsOn(engine).topText();
    const [entry] = entriesOf(text);
    expect(entry?.loc).toBe(uri(3));
    expect(top(text)["from"]).toBe(entry?.md["datetime"]);
  });

  test("closed lists are kept for as long as configured; the index and the archive drop what is gone", async () => {
    await using engine = await openEngine(name);
    let now = Date.now();
    const lists = listsOn(engine, { entries: 1, keep: 60_000, archive: true, now: () => now });
    for (let n = 1; n <= 3; n += 1) await publish(engine, one(n));
    await lists.round();
    const archiveText = async () => (await (await lists.archive("maps"))!.plain()).toString();
    expectValid(await archiveText());
    expect(locs(await archiveText())).toEqual([listUrl(1), listUrl(2)]);
    expect(locs(await lists.topText())).toEqual([listUrl(1), listUrl(2), listUrl(3)]);
    now += 120_000;
    await lists.round();
    const index = await lists.topText();
    expectValid(index);
    expect(locs(index)).toEqual([listUrl(3)]);
    expect(locs(await archiveText())).toEqual([]);
    expect(await lists.listText(1)).toBe("gone");
    expect(await lists.listText(4)).toBe("never");
    expect(await lists.listText(0)).toBe("never");
  });
});

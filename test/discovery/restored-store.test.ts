import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ClosedLists } from "../../src/discovery/closed-lists.ts";
import { openEngine, type TestEngine } from "../support/engines.ts";
import { entriesOf } from "./check.ts";
import { listsOn, notification, publish } from "./notifications.ts";

const one = (uri: string): string =>
  notification([[`https://maps.example.org/${uri}`, "2026-01-01T00:05:00Z"]]);

test("a process that goes on while its store comes back as an older copy lists what that holds, not what is lost", async () => {
  const [data, backup] = await Promise.all(["a", "b"].map((name) => mkdtemp(join(tmpdir(), `hub-${name}-`))));
  let engine: TestEngine = await openEngine("embedded", { directory: data! });
  // What the process holds on to, as a connection to Redis would be, whatever store is behind it.
  const log = {
    ...engine.log,
    bounds: (...given: Parameters<typeof engine.log.bounds>) => engine.log.bounds(...given),
    read: (...given: Parameters<typeof engine.log.read>) => engine.log.read(...given),
  };
  const stored: ClosedLists = { ...engine.lists, state: (channel) => engine.lists.state(channel) };
  const lists = listsOn({ log, lists: stored });
  const uris = async () => entriesOf(await lists.topText()).map(({ loc }) => loc.split("/").at(-1));

  for (const uri of ["a", "b"]) await publish(engine, one(uri));
  expect(await uris()).toEqual(["a", "b"]);
  await engine[Symbol.asyncDispose]();
  await cp(data!, backup!, { recursive: true });
  engine = await openEngine("embedded", { directory: data! });
  await publish(engine, one("lost"));
  expect(await uris()).toEqual(["a", "b", "lost"]);
  await engine[Symbol.asyncDispose]();
  await rm(data!, { recursive: true });
  await cp(backup!, data!, { recursive: true });
  engine = await openEngine("embedded", { directory: data! });
  await publish(engine, one("c"));
  expect(await uris()).toEqual(["a", "b", "c"]);
  await engine[Symbol.asyncDispose]();
  for (const directory of [data!, backup!]) await rm(directory, { recursive: true, force: true });
});

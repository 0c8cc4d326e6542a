import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { DirectoryInUse } from "../../src/log/embedded-lock.ts";
import { openEmbeddedEnvironment } from "../../src/log/embedded-environment.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import { findPlace, positionAt } from "../../src/log/place-in-log.ts";
import { notificationLogContract } from "../contracts/notification-log.ts";
import { openEngine } from "../support/engines.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";

notificationLogContract("embedded");

const channel = testChannel();

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), "hub-log-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function appendUpTo(engine: Awaited<ReturnType<typeof openEngine>>, newest: number, name: string) {
  const { log } = engine;
  for (let { newest: at } = await log.bounds(channel); at < newest; at += 1) {
    await log.append(channel, newNotification(`<${name}-${at}/>`));
  }
  return positionAt(await log.bounds(channel), newest);
}

test("a position of a future that a restored backup does not know is a gap, even when its number comes again", async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  const backup = join(directory.path, "backup");
  let known: string | undefined;
  {
    await using engine = await openEngine("embedded", { directory: data });
    known = await appendUpTo(engine, 5, "kept");
  }
  await cp(data, backup, { recursive: true });
  let lost: Awaited<ReturnType<typeof appendUpTo>>;
  {
    await using engine = await openEngine("embedded", { directory: data });
    lost = await appendUpTo(engine, 8, "lost");
  }
  await rm(data, { recursive: true });
  await cp(backup, data, { recursive: true });
  await using engine = await openEngine("embedded", { directory: data });
  expect(findPlace(await engine.log.bounds(channel), lost).kind).toBe("gap");
  await appendUpTo(engine, 12, "other");
  const bounds = await engine.log.bounds(channel);
  expect(findPlace(bounds, lost)).toEqual({ kind: "gap", sequence: 0 });
  expect(findPlace(bounds, positionAt(bounds, 5))).toEqual({ kind: "held", sequence: 5 });
  expect(positionAt(bounds, 5)).toBe(known);
});

test("a position in a directory that was emptied is a gap", async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  let position: Awaited<ReturnType<typeof appendUpTo>>;
  {
    await using engine = await openEngine("embedded", { directory: data });
    position = await appendUpTo(engine, 5, "old");
  }
  await rm(data, { recursive: true });
  await using engine = await openEngine("embedded", { directory: data });
  expect(findPlace(await engine.log.bounds(channel), position).kind).toBe("gap");
  await appendUpTo(engine, 6, "new");
  expect(findPlace(await engine.log.bounds(channel), position).kind).toBe("gap");
});

test("the data directory is made for its owner alone", async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, "deep", "data");
  await using _engine = await openEngine("embedded", { directory: data });
  expect((await stat(data)).mode & 0o777).toBe(0o700);
});

test("a second opening of the directory is refused with the directory and the process that has it", async () => {
  await using directory = await temporaryDirectory();
  const first = await openEmbeddedEnvironment(directory.path);
  const refusal = await openEmbeddedEnvironment(directory.path).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DirectoryInUse);
  expect(String(refusal)).toContain(directory.path);
  expect(String(refusal)).toContain(String(process.pid));
  await first.close();
  const second = await openEmbeddedEnvironment(directory.path);
  await second.close();
});

test("of ten openings at once, one gets the directory", async () => {
  await using directory = await temporaryDirectory();
  const openings = await Promise.allSettled(
    Array.from({ length: 10 }, () => openEmbeddedEnvironment(directory.path)),
  );
  const got = openings.flatMap((opening) => (opening.status === "fulfilled" ? [opening.value] : []));
  expect(got).toHaveLength(1);
  for (const environment of got) await environment.close();
});

test("a directory with a very long name serves", async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, "d".repeat(120));
  const environment = await openEmbeddedEnvironment(data);
  await expect(openEmbeddedEnvironment(data)).rejects.toBeInstanceOf(DirectoryInUse);
  await environment.close();
});

test("a closed store answers that it is unavailable", async () => {
  await using engine = await openEngine("embedded");
  await using reopened = await engine.reopen();
  await expect(engine.log.append(channel, newNotification("<a/>"))).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
  await expect(engine.log.read(channel, 0, 1)).rejects.toBeInstanceOf(StorageUnavailable);
  await reopened.log.probe();
});

test("records of repeats go away once they have expired", async () => {
  let time = 1000;
  await using directory = await temporaryDirectory();
  {
    await using engine = await openEngine("embedded", { directory: directory.path, now: () => time });
    for (let n = 0; n < 100; n += 1) {
      await engine.log.append(
        channel,
        newNotification(`<n${n}/>`, { repeatWindow: 500, idempotencyKey: `${n}` }),
      );
    }
    time = 2000;
    await engine.log.trimBefore(channel, 1);
  }
  const environment = await openEmbeddedEnvironment(directory.path);
  const left = [...environment.table("repeats", z.unknown()).range({ from: [""], to: ["\u{10ffff}"] })];
  expect(left).toEqual([]);
  await environment.close();
});

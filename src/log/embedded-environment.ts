import { chmod, mkdir, realpath } from "node:fs/promises";
import { type Database, type Key, open } from "lmdb";
import type { z } from "zod";
import { fullDisk } from "./embedded-disk-space.ts";
import { type Changing, createGroupCommit } from "./embedded-group-commit.ts";
import { lockDirectory } from "./embedded-lock.ts";
import { newEpoch } from "./new-epoch.ts";
import { StorageUnavailable } from "./notification-log.ts";
import { checkRow } from "./stored-row.ts";

export type { Changing } from "./embedded-group-commit.ts";

type RowKey = readonly (string | number)[];

export interface KeyRange {
  /** The first key, included. */
  readonly from: RowKey;
  /** The key after the last one. */
  readonly to: RowKey;
  readonly limit?: number;
  /** The last row first; a row with the key `to` is then included. */
  readonly reverse?: boolean;
}

interface StoredRow<Row> {
  readonly key: RowKey;
  readonly row: Row;
}

/** Rows of one kind, ordered by key. Every row is checked as it is read. */
export interface EmbeddedTable<Row> {
  /** As it is on disk. */
  get(key: RowKey): Row | undefined;
  /** As they are on disk; read lazily, to be used up before the next `await`. */
  range(range: KeyRange): Iterable<StoredRow<Row>>;
  /** How many rows of the range are on disk; reads their keys only. */
  count(range: KeyRange): number;
  /** As a write sees and changes them. */
  within(changing: Changing): {
    get(key: RowKey): Row | undefined;
    put(key: RowKey, row: Row): void;
    remove(key: RowKey): void;
  };
}

export interface EmbeddedEnvironment {
  readonly directory: string;
  /** Names this opening of the store. */
  readonly epoch: string;
  table<Row>(name: string, schema: z.ZodType<Row>): EmbeddedTable<Row>;
  /** Runs the action synchronously, all or nothing; resolves when the changes are on disk. */
  write<Outcome>(action: (changing: Changing) => Outcome): Promise<Outcome>;
  /** Whether the last write failed. */
  hasFailed(): boolean;
  /** Writes something that means nothing. Throws `StorageUnavailable`. */
  tryOut(): Promise<void>;
  /** Waits for the writes that were begun, and gives the directory back. */
  close(): Promise<void>;
}

interface EnvironmentOptions {
  /** Why nothing can be written now; where it is left out, a disk that is nearly full. */
  readonly obstacle?: () => string | undefined;
}

/** Keys that begin with `prefix` and go on with printable text or a number. */
export function keysBelow(...prefix: string[]): KeyRange {
  return { from: prefix, to: [...prefix, "\u{10ffff}"] };
}

/** lmdb's keys are wider than ours, and it gives an array of one back as its only part. */
function rowKeyOf(key: Key): RowKey {
  const parts = Array.isArray(key) ? key : [key];
  return parts.filter((part) => typeof part === "string" || typeof part === "number");
}

/**
 * Opens the store in `directory`, which is made (mode 0700) where it is missing.
 *
 * Throws `DirectoryInUse` where another process has it.
 */
export async function openEmbeddedEnvironment(
  directory: string,
  { obstacle }: EnvironmentOptions = {},
): Promise<EmbeddedEnvironment> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // One name for one directory: the lock goes by it.
  const path = await realpath(directory);
  await chmod(path, 0o700);
  const unlock = await lockDirectory(path);
  // With overlapping syncs, lmdb answers before the data are on disk.
  // Batches are ours (group commit); the rejection of lmdb's own ones, which nobody can take, would end the process.
  const root = open({ path, noSubdir: false, maxDbs: 64, overlappingSync: false, eventTurnBatching: false });
  const commits = createGroupCommit(root, { obstacle: obstacle ?? (() => fullDisk(path)) });
  const opened = new Map<string, Database<unknown>>();
  let closing: Promise<void> | undefined;

  const assertOpen = (): void => {
    // lmdb would end the process where a closed environment is read.
    if (closing !== undefined) throw new StorageUnavailable(`The store in ${path} is closed`);
  };
  /** One database object for each name: a group of writes tells rows apart by it. */
  const rowsOf = (name: string): Database<unknown> => {
    const rows = opened.get(name) ?? root.openDB({ name });
    opened.set(name, rows);
    return rows;
  };
  const close = async (): Promise<void> => {
    await commits.idle();
    await root.close();
    await unlock();
  };

  return {
    directory: path,
    epoch: newEpoch(),
    table<Row>(name: string, schema: z.ZodType<Row>): EmbeddedTable<Row> {
      const rows = rowsOf(name);
      const check = (value: unknown, key: RowKey): Row => checkRow(schema, value, `${name} ${key.join(" ")}`);
      const checkFound = (value: unknown, key: RowKey): Row | undefined =>
        value === undefined ? undefined : check(value, key);
      return {
        get(key) {
          assertOpen();
          return checkFound(rows.get([...key]), key);
        },
        *range({ from, to, limit, reverse = false }) {
          assertOpen();
          const [start, end] = reverse ? [to, from] : [from, to];
          const ends = { start: [...start], end: [...end], reverse };
          const options = { ...ends, ...(limit === undefined ? {} : { limit }) };
          for (const { key, value } of rows.getRange(options)) {
            const rowKey = rowKeyOf(key);
            yield { key: rowKey, row: check(value, rowKey) };
          }
        },
        count({ from, to }) {
          assertOpen();
          return rows.getKeysCount({ start: [...from], end: [...to] });
        },
        within: (changing) => ({
          get: (key) => checkFound(changing.get(rows, [...key]), key),
          put: (key, row) => changing.put(rows, [...key], row),
          remove: (key) => changing.remove(rows, [...key]),
        }),
      };
    },
    async write(action) {
      assertOpen();
      return await commits.write(action);
    },
    hasFailed: commits.hasFailed,
    async tryOut() {
      assertOpen();
      const trial = rowsOf("health");
      await commits.write((changing) => changing.put(trial, ["trial"], Date.now()));
    },
    async close() {
      closing ??= close();
      await closing;
    },
  };
}

import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Database, Key, RootDatabase } from "lmdb";
import { StorageUnavailable } from "./notification-log.ts";

type Rows = Database<unknown>;
type Changes = Map<Rows, Map<string, { readonly key: Key; readonly value: unknown }>>;

/** What an action sees and changes: the committed rows, with the changes of the actions before it in the group. */
export interface Changing {
  get(rows: Rows, key: Key): unknown;
  put(rows: Rows, key: Key, value: unknown): void;
  remove(rows: Rows, key: Key): void;
}

const nameOf = (key: Key): string => JSON.stringify(key);

function record(changes: Changes, rows: Rows, key: Key, value: unknown): void {
  let ofRows = changes.get(rows);
  if (ofRows === undefined) changes.set(rows, (ofRows = new Map()));
  ofRows.set(nameOf(key), { key, value });
}

/** `undefined` stands for a removed row. */
function changing(own: Changes, group: Changes): Changing {
  return {
    get(rows, key) {
      const name = nameOf(key);
      const change = own.get(rows)?.get(name) ?? group.get(rows)?.get(name);
      return change === undefined ? rows.get(key) : change.value;
    },
    put: (rows, key, value) => record(own, rows, key, value),
    remove: (rows, key) => record(own, rows, key, undefined),
  };
}

interface Waiting {
  /** Answers what to tell the caller once the group is on disk. */
  readonly run: (group: Changes) => () => void;
  readonly reject: (reason: unknown) => void;
}

interface GroupCommitOptions {
  /** Why nothing can be written now, for the operator; `undefined` where something can. */
  readonly obstacle?: () => string | undefined;
}

async function commit(root: RootDatabase, changes: Changes): Promise<void> {
  // The group's own promise tells how all of them ended; but theirs would end the process if nobody took their rejections.
  const ofEach = new Set<Promise<boolean>>();
  try {
    await root.batch(() => {
      for (const [rows, ofRows] of changes) {
        for (const { key, value } of ofRows.values()) {
          ofEach.add(value === undefined ? rows.remove(key) : rows.put(key, value));
        }
      }
      for (const one of ofEach) one.catch(() => {});
    });
  } catch (error) {
    // lmdb gives the reason in a promise beside the error, which would end the process if nobody took it.
    const reason: unknown =
      error instanceof Error && "commitError" in error
        ? await Promise.resolve(error.commitError).catch((cause: unknown) => cause)
        : error;
    throw new StorageUnavailable("The store did not take the write", { cause: reason });
  }
}

/**
 * How long a store that did not take a write is left alone. Where a write fails, lmdb 3.5.6 words its complaint in 100 bytes that can be
 * too few (mdb.c, "Attempting to write page"), and some of those times that ends the process. Milliseconds.
 */
const leftAlone = 1000;

/**
 * Runs read-and-write actions one after the other, each all or nothing, and commits in one fsync everything that arrived
 * while the last group was being written.
 *
 * The actions run on the main thread against committed rows, rather than in lmdb's asynchronous transactions: those hand
 * control between two threads for each group, and with lmdb 3.5.6 on Node 20 they were seen never to begin.
 */
export function createGroupCommit(root: RootDatabase, { obstacle }: GroupCommitOptions = {}) {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let failure: { readonly error: unknown; readonly until: number } | undefined;

  const commitGroup = async (members: readonly Waiting[]): Promise<void> => {
    const changes: Changes = new Map();
    const written: { readonly answer: () => void; readonly reject: Waiting["reject"] }[] = [];
    for (const { run, reject } of members) {
      try {
        written.push({ answer: run(changes), reject });
      } catch (error) {
        reject(error);
      }
    }
    try {
      if (changes.size > 0) await commitChanges(changes);
      for (const { answer } of written) answer();
    } catch (error) {
      for (const { reject } of written) reject(error);
    }
  };
  const commitChanges = async (changes: Changes): Promise<void> => {
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    let until = 0;
    try {
      const reason = obstacle?.();
      if (reason !== undefined) throw new StorageUnavailable(reason);
      until = performance.now() + leftAlone;
      await commit(root, changes);
      failure = undefined;
    } catch (error) {
      failure = { error, until };
      throw error;
    }
  };
  const commitAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // What arrives in one turn of the event loop belongs together: the first of them does not go alone.
      await endOfTurn();
      const members = waiting;
      waiting = [];
      await commitGroup(members);
    }
    running = undefined;
  };

  return {
    /** Resolves when the changes are on disk. An action that throws changes nothing. */
    write<Outcome>(action: (changing: Changing) => Outcome): Promise<Outcome> {
      return new Promise((resolve, reject) => {
        const run = (group: Changes) => {
          const own: Changes = new Map();
          const outcome = action(changing(own, group));
          for (const [rows, ofRows] of own)
            for (const { key, value } of ofRows.values()) record(group, rows, key, value);
          return () => resolve(outcome);
        };
        waiting.push({ run, reject });
        running ??= commitAll();
      });
    },
    /** Whether the last write failed. */
    hasFailed: (): boolean => failure !== undefined,
    /** Resolves when nothing waits any more. */
    async idle(): Promise<void> {
      await running;
    },
  };
}

import { type Instant, instantAt } from "../protocol/instant.ts";
import { type ChangeListHead, createChangeListReader, type NamedList } from "../protocol/read-change-list.ts";
import { defaultLimits } from "../protocol/reading-limits.ts";
import { ListNotTaken } from "./change-list-intake.ts";
import { newChange, type NewChange, reachedWith } from "./new-changes.ts";

interface Document {
  readonly url: string;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  readonly fetchedAt: number;
}

/** What is kept of a document while it is read. */
interface Reading {
  readonly isKnown: (change: NewChange) => boolean;
  readonly maxBytes: number;
  readonly stopping: AbortSignal;
}

export interface ReadChangeList {
  readonly head: ChangeListHead;
  /** Those that are not known, in document order. */
  readonly changes: readonly NewChange[];
  /** Where it is an index. */
  readonly lists: readonly NamedList[];
  /** The latest change in it, known or not, never later than it was fetched; `undefined` where no change has a time. */
  readonly latest: Instant | undefined;
}

const sliceBytes = 65_536;
const beginning = instantAt(0);

async function* slicesOf(body: Uint8Array | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!(body instanceof Uint8Array)) return yield* body;
  for (let at = 0; at < body.byteLength; at += sliceBytes) {
    yield body.subarray(at, at + sliceBytes);
    await new Promise(setImmediate);
  }
}

/** Reads a Change List or an index to its end, so that nothing is published of one that is faulty. Throws `ListNotTaken`. */
export async function readChangesOfList(
  { url, body, fetchedAt }: Document,
  { isKnown, maxBytes, stopping }: Reading,
): Promise<ReadChangeList> {
  const reader = createChangeListReader({ ...defaultLimits, bytes: maxBytes });
  const changes: NewChange[] = [];
  const lists: NamedList[] = [];
  let latest = beginning;
  for await (const slice of slicesOf(body)) {
    if (stopping.aborted) throw new ListNotTaken(`${url} was not read to its end: the hub is stopping`);
    for (const listed of reader.write(slice)) {
      if (listed.kind === "list") lists.push(listed);
      else {
        latest = reachedWith(latest, [listed], fetchedAt);
        const change = newChange(listed, fetchedAt);
        if (!isKnown(change)) changes.push(change);
      }
    }
  }
  const reading = reader.end();
  if (reading.kind === "refused") {
    const [first] = reading.faults;
    const where =
      first === undefined
        ? ""
        : `line ${first.line}, column ${first.column}, ${first.rule}: ${first.message}`;
    throw new ListNotTaken(`${url} is not taken as a Change List: ${where}`);
  }
  return { head: reading.head, changes, lists, latest: latest === beginning ? undefined : latest };
}

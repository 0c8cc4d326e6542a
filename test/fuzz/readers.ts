import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import { parseDocument } from "../../src/protocol/parse-document.ts";
import { createChangeListReader } from "../../src/protocol/read-change-list.ts";
import { readEntries, UnreadableDocument } from "../../src/protocol/read-entries.ts";
import { defaultLimits } from "../../src/protocol/reading-limits.ts";
import type { ListReader } from "../../src/protocol/read-list.ts";
import { createResourceListReader } from "../../src/protocol/read-resource-list.ts";
import { rulesOfInput } from "../../src/protocol/rules-of-input.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";

/** How a document was cut before it came to a reader. */
type Cut = (document: Uint8Array) => readonly Uint8Array[];
/** "read" where all of it was read, whatever is said of it then; else the rule by which it cannot be read. */
type Reader = (document: Uint8Array) => string | Promise<string>;

const ofInput = new Set<string>(rulesOfInput.map(({ id }) => id));

interface Faulty {
  readonly faults: readonly { readonly rule: string }[];
}
const ruleOf = ({ faults }: Faulty): string =>
  faults.find(({ rule }) => ofInput.has(rule))?.rule ?? "refused without a rule";

const whole: Cut = (document) => [document];

/** At places that follow from the document: some documents are cut within a name, a reference, a character. */
const inPieces: Cut = (document) => {
  const places = [3, 5, 7].map((part) => Math.floor((document.length * part) / 11));
  const ends = [1, ...places, document.length - 1, document.length];
  return ends.map((end, at) => document.subarray(at === 0 ? 0 : ends[at - 1], end));
};

async function* streamed(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** `readEntries`, which names the root in the end where that is none of ResourceSync's. */
export async function readStreamed(pieces: readonly Uint8Array[]): Promise<string> {
  try {
    for await (const _part of readEntries(streamed(pieces)));
    return "read";
  } catch (error) {
    if (error instanceof UnreadableDocument) return error.fault.rule;
    throw error;
  }
}

type CreateListReader = (limits: typeof defaultLimits) => ListReader<unknown, unknown>;

/** A reader of lists, which is given them in pieces by whoever fetches them. */
export const readList =
  (create: CreateListReader) =>
  (pieces: readonly Uint8Array[]): string => {
    const list = create(defaultLimits);
    for (const piece of pieces) list.write(piece);
    const reading = list.end();
    return reading.kind === "read" || reading.because === "breaks-rules" ? "read" : ruleOf(reading);
  };
const readResourceList = readList(createResourceListReader);
const readChangeList = readList(createChangeListReader);

/** Whatever of ours reads documents that strangers write. */
export const readers: Readonly<Record<string, Reader>> = {
  "the validator": (document) => {
    const verdict = validateDocument(document);
    const isUnread = verdict.because === "unreadable" || verdict.because === "too-large";
    return isUnread ? ruleOf(verdict) : "read";
  },
  "the reader of notifications": (document) => {
    const verdict = judgeNotification(document, undefined, "auto");
    return verdict.kind === "valid" || verdict.because === "breaks-rules" ? "read" : ruleOf(verdict);
  },
  "the parser": (document) => {
    const outcome = parseDocument(document);
    return outcome.kind === "parsed" ? "read" : (outcome.faults[0]?.rule ?? "refused without a rule");
  },
  "the reader of streams": (document) => readStreamed(whole(document)),
  "the reader of streams, in pieces": (document) => readStreamed(inPieces(document)),
  "the reader of Resource Lists": (document) => readResourceList(whole(document)),
  "the reader of Resource Lists, in pieces": (document) => readResourceList(inPieces(document)),
  "the reader of Change Lists": (document) => readChangeList(whole(document)),
  "the reader of Change Lists, in pieces": (document) => readChangeList(inPieces(document)),
};

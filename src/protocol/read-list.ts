import type { Fault } from "./fault.ts";
import { judgeList, type ListJudge, type ListCapability } from "./judge-list.ts";
import { gatherListFaults } from "./list-faults.ts";
import { createListParser } from "./parse-list.ts";
import { ReadingStopped, type Refusal, stop } from "./refusal.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { core } from "./rule.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";

export type ListFaults = ReturnType<typeof gatherListFaults>;

/** What is read: which documents, and what is wanted of them. */
interface ListKind<Listed, Head> {
  readonly capability: ListCapability;
  /** The section of core 1.1 that defines them. */
  readonly section: string;
  /** Names the documents that would do. */
  readonly name: string;
  /** Rules that are only warned of: the list is of use all the same. */
  readonly warnedOf?: ReadonlySet<string>;
  readonly listed: (entry: Entry) => Listed | undefined;
  /** What the top says, once everything but the entries is there; `undefined` where it is not of use. */
  readonly headOf: (document: SyncDocument, faults: ListFaults) => Head | undefined;
}

interface RefusedList {
  readonly kind: "refused";
  readonly because: "unreadable" | "too-large" | "breaks-rules";
  readonly faults: readonly Fault[];
}

type ListReading<Head> =
  { readonly kind: "read"; readonly head: Head; readonly warnings: readonly Fault[] } | RefusedList;

/** Takes a list, or the index of some, piece by piece, and holds one entry of it at a time. */
export interface ListReader<Listed, Head> {
  /** Answers the entries that ended in this piece: none any more after the first fault. */
  write(piece: Uint8Array): readonly Listed[];
  end(): ListReading<Head>;
}

const tooLarge: readonly Refusal["rule"][] = ["X04", "X05"];

/** C01 speaks of what says nothing. */
function requireCapability(
  { md }: SyncDocument,
  wanted: ListKind<unknown, unknown>,
  faults: ListFaults,
): void {
  const capability = md === undefined ? undefined : attributeOf(md, "capability");
  if (md === undefined || capability === undefined || capability === wanted.capability) return;
  const says = `the document says capability="${capability}"; send a ${wanted.name}, or a ${wanted.name} Index`;
  const source = `${core} ${wanted.section}`;
  faults.add({ id: "S01", severity: "error", source }, { element: md, attribute: "capability", says }, 0);
}

/** Rules that concern many entries at once are not asked: no more than one is ever there. */
export function createListReader<Listed, Head>(
  kind: ListKind<Listed, Head>,
  limits: ReadingLimits,
): ListReader<Listed, Head> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const faults = gatherListFaults();
  let judge: ListJudge | undefined;
  let listed: Listed[] = [];
  let [bytes, entries] = [0, 0];

  const parser = createListParser(limits, {
    opened(element) {
      faults.note(element, parser.place());
      judge ??= judgeList(element, kind.capability, (rule, complaint) => {
        const isWarning = kind.warnedOf?.has(rule.id) === true;
        faults.add(isWarning ? { ...rule, severity: "warning" } : rule, complaint, entries);
      });
    },
    entry(entry) {
      entries += 1;
      judge?.entry(entry);
      const taken = kind.listed(entry);
      if (taken !== undefined && faults.errors === 0) listed.push(taken);
    },
  });
  const decoded = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      return stop("X02", 0, "there are bytes that are not UTF-8; send the document in UTF-8");
    }
  };
  /** Whatever stops the parser is a fault of the document; nothing is read after it. */
  function step(action: () => void): void {
    if (faults.stoppedBy !== undefined) return;
    try {
      action();
    } catch (error) {
      if (!(error instanceof ReadingStopped)) throw error;
      faults.stop(error.refusal, parser.place());
    }
  }

  return {
    write(piece) {
      step(() => {
        bytes += piece.byteLength;
        if (bytes > limits.bytes) stop("X05", 0, `the document has more than ${limits.bytes} bytes`);
        parser.write(decoded(piece));
      });
      const taken = faults.errors === 0 ? listed : [];
      listed = [];
      return taken;
    },
    end() {
      step(() => {
        parser.write(decoded());
        parser.end();
      });
      if (faults.stoppedBy !== undefined) {
        const because = tooLarge.includes(faults.stoppedBy) ? "too-large" : "unreadable";
        return { kind: "refused", because, faults: faults.list() };
      }
      const document = judge?.document();
      if (document !== undefined) requireCapability(document, kind, faults);
      const head = document === undefined ? undefined : kind.headOf(document, faults);
      if (head === undefined || faults.errors > 0) {
        return { kind: "refused", because: "breaks-rules", faults: faults.list() };
      }
      return { kind: "read", head, warnings: faults.list() };
    },
  };
}

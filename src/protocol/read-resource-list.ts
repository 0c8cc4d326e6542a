import type { Fault } from "./fault.ts";
import type { Instant } from "./instant.ts";
import { judgeList, type ListJudge } from "./judge-list.ts";
import { gatherListFaults } from "./list-faults.ts";
import { createListParser } from "./parse-list.ts";
import { ReadingStopped, type Refusal, stop } from "./refusal.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { type ListedResource, listedResource } from "./resource-entry.ts";
import { core } from "./rule.ts";
import { instantOf } from "./rules-of-times.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";

export type ResourceListReading =
  | {
      readonly kind: "read";
      readonly form: "urlset" | "sitemapindex";
      readonly at: Instant;
      readonly completed: Instant | undefined;
      readonly warnings: readonly Fault[];
    }
  | {
      readonly kind: "refused";
      readonly because: "unreadable" | "too-large" | "breaks-rules";
      readonly faults: readonly Fault[];
    };

/** Takes a Resource List, or the index of some, piece by piece, and holds one entry of it at a time. */
export interface ResourceListReader {
  /** Answers the entries that ended in this piece: none any more after the first fault. */
  write(piece: Uint8Array): readonly ListedResource[];
  end(): ResourceListReading;
}

type ListFaults = ReturnType<typeof gatherListFaults>;

const tooLarge: readonly Refusal["rule"][] = ["X04", "X05"];

/** What a list must say to be of use: that it is one, and of which moment. */
function requireSnapshot(element: XmlElement, at: Instant | undefined, faults: ListFaults): void {
  const source = `${core} §10`;
  const capability = attributeOf(element, "capability");
  if (capability !== "resourcelist" && capability !== undefined) {
    const says = `the document says capability="${capability}"; send a Resource List, or a Resource List Index`;
    faults.add({ id: "S01", severity: "error", source }, { element, attribute: "capability", says }, 0);
  }
  if (at !== undefined || faults.has("T01") || faults.has("V04")) return;
  const says = 'the top-level rs:md has no "at"; it says which changes are in the list';
  faults.add({ id: "T01", severity: "error", source }, { element, says }, 0);
}

/** Rules that concern many entries at once are not asked: no more than one is ever there. */
export function createResourceListReader(limits: ReadingLimits): ResourceListReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const faults = gatherListFaults();
  let judge: ListJudge | undefined;
  let resources: ListedResource[] = [];
  let [bytes, entries] = [0, 0];

  const parser = createListParser(limits, {
    opened(element) {
      faults.note(element, parser.place());
      judge ??= judgeList(element, (rule, complaint) => faults.add(rule, complaint, entries));
    },
    entry(entry) {
      entries += 1;
      judge?.entry(entry);
      const resource = listedResource(entry);
      if (resource !== undefined && faults.errors === 0) resources.push(resource);
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
      const taken = faults.errors === 0 ? resources : [];
      resources = [];
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
      const at = instantOf(document?.md, "at");
      if (document?.md !== undefined) requireSnapshot(document.md, at, faults);
      if (document?.form === undefined || at === undefined || faults.errors > 0) {
        return { kind: "refused", because: "breaks-rules", faults: faults.list() };
      }
      const completed = instantOf(document.md, "completed");
      return { kind: "read", form: document.form, at, completed, warnings: faults.list() };
    },
  };
}

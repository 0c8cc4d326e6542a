import { documentTypeNames } from "../../src/protocol/document-type-name.ts";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import process from "node:process";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { refusedByXmllint } from "../protocol/xmllint.ts";
import { readers } from "./readers.ts";
import { isExcused, isRefusedWronglyByLibxml2, isTakenWronglyByLibxml2 } from "./excuses.ts";

export interface Finding {
  readonly what: string;
  readonly document: Uint8Array;
}

/** Milliseconds of the processor, of which other programs on a busy machine take none, for a document of a few kilobytes. */
const patience = 2_000;

const profiles = ["auto", "1.0.1", "1.0", "0.8", "lenient"] as const;

/** Every reader of documents takes it in any way that a caller can ask for, in bounded time, without throwing. */
function faultOfReaders(document: Uint8Array, at: number): string | undefined {
  const begun = process.cpuUsage();
  try {
    judgeNotification(document, undefined, profiles[at % profiles.length] ?? "auto");
    const { valid, faults } = validateDocument(document, {
      as: documentTypeNames[at % documentTypeNames.length],
    });
    if (!valid && faults.length === 0) return "it is refused without a reason";
    const bad = faults.find(({ line, column }) => line < 1 || column < 1 || !Number.isInteger(line + column));
    if (bad !== undefined) return `${bad.rule} has no place: ${bad.line}:${bad.column}`;
  } catch (error) {
    return `it throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  const { user, system } = process.cpuUsage(begun);
  const took = Math.round((user + system) / 1000);
  return took > patience ? `it takes ${took} ms of the processor` : undefined;
}

/** What a reader says of it against libxml2, both ways. */
async function differences(document: Uint8Array, isRefusedByLibxml2: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const reading = await read(document);
    if (isRefusedByLibxml2) {
      if (reading === "read" && !isRefusedWronglyByLibxml2(document))
        found.push(`libxml2 refuses it, ${name} reads it`);
    } else if (reading === "X01") {
      if (!isTakenWronglyByLibxml2(document)) found.push(`libxml2 reads it, ${name} calls it ill-formed`);
    } else if (reading !== "read" && !isExcused(reading, document)) {
      found.push(`libxml2 reads it, ${name} refuses it by ${reading}, of which nothing is to be seen`);
    }
  }
  return found;
}

/**
 * Holds every document against our readers, and what they say against libxml2, both ways: nothing that it refuses is read, and
 * nothing that it takes is refused but for what can be seen in it.
 */
export async function fuzzRound(documents: readonly Uint8Array[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const refused = await refusedByXmllint(documents);
  for (const [at, document] of documents.entries()) {
    const what = faultOfReaders(document, at);
    if (what !== undefined) findings.push({ what, document });
    for (const difference of await differences(document, refused.has(at)))
      findings.push({ what: difference, document });
  }
  return findings;
}

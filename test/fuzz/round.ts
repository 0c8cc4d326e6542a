import { documentTypeNames } from "../../src/protocol/document-type-name.ts";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import { parseDocument } from "../../src/protocol/parse-document.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { refusedByXmllint } from "../protocol/xmllint.ts";

export interface Finding {
  readonly what: string;
  readonly document: Uint8Array;
}

/** Milliseconds that reading and judging a document of a few kilobytes may take on a busy machine. */
const patience = 2_000;

/** Refusals that say nothing about being well-formed: encodings, doctypes, limits of ours. */
const ofOurOwn = new Set(["X02", "X03", "X04", "X05", "W01", "W02", "W03", "W04"]);

type Reading = "read" | "ill-formed" | "not taken";

function readingOf(document: Uint8Array): Reading {
  const { because, faults } = validateDocument(document);
  if (because !== "unreadable" && because !== "too-large") return "read";
  return faults.some(({ rule }) => ofOurOwn.has(rule)) ? "not taken" : "ill-formed";
}

/** Every reader of documents takes it in any way that a caller can ask for, in bounded time, without throwing. */
function faultOfReaders(document: Uint8Array, at: number): string | undefined {
  const begun = performance.now();
  try {
    const verdict = judgeNotification(
      document,
      undefined,
      (["auto", "1.0.1", "1.0", "0.8", "lenient"] as const)[at % 5]!,
    );
    const { valid, faults } = validateDocument(document, {
      as: documentTypeNames[at % documentTypeNames.length],
    });
    const parsed = parseDocument(document);
    const isReadable = readingOf(document) === "read";
    if (!valid && faults.length === 0) return "it is refused without a reason";
    if (verdict.kind === "refused" && verdict.because === "unreadable" && isReadable)
      return "a reader of notifications cannot read what the validator reads";
    if (!isReadable && parsed.kind === "parsed") return "it is parsed, and yet the validator cannot read it";
    const bad = faults.find(({ line, column }) => line < 1 || column < 1 || !Number.isInteger(line + column));
    if (bad !== undefined) return `${bad.rule} has no place: ${bad.line}:${bad.column}`;
  } catch (error) {
    return `it throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  const took = performance.now() - begun;
  return took > patience ? `it takes ${Math.round(took)} ms` : undefined;
}

/** Where libxml2 (2.9.14) is more lenient than the standards are. */
const leniencies: readonly RegExp[] = [
  // A NUL behind the root element ends the file.
  /\0/,
  // A namespace's name is looked at before the references in it are resolved.
  /xmlns[^=<>]*=\s*(["'])[^"']*&/,
  // Versions are not looked at closely (XML 1.0 §2.8).
  /^[^>]*version\s*=\s*["']1\.["']/,
  // Behind a byte order mark, no space is wanted before "standalone" (XML 1.0 §2.9).
  /^\xef\xbb\xbf<\?xml[^>]*["']standalone/,
];

function isTakenWronglyByLibxml2(document: Uint8Array): boolean {
  const text = Buffer.from(document).toString("latin1");
  return leniencies.some((pattern) => pattern.test(text));
}

/**
 * Holds every document against our readers, and what they say against libxml2, both ways: nothing that it refuses is read, and
 * nothing that it takes is called ill-formed.
 */
export async function fuzzRound(documents: readonly Uint8Array[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [at, document] of documents.entries()) {
    const what = faultOfReaders(document, at);
    if (what !== undefined) findings.push({ what, document });
  }
  const refused = await refusedByXmllint(documents);
  for (const [at, document] of documents.entries()) {
    const reading = readingOf(document);
    if (refused.has(at) && reading === "read")
      findings.push({ what: "libxml2 refuses it, we read it", document });
    if (!refused.has(at) && reading === "ill-formed" && !isTakenWronglyByLibxml2(document))
      findings.push({ what: "libxml2 reads it, we call it ill-formed", document });
  }
  return findings;
}

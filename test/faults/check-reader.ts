import {
  type LogEntry,
  type Observed,
  type ReaderEvent,
  type ReaderSeen,
  sequenceOf,
  type Violation,
} from "./observed.ts";

type Found = (rule: Violation["rule"], detail: string) => void;
type Notified = Extract<ReaderEvent, { kind: "notification" }>;

/** What one live reader was told, against the log. */
export function checkReader(observed: Observed, reader: ReaderSeen): Violation[] {
  const violations: Violation[] = [];
  const found: Found = (rule, detail) => violations.push({ rule, who: reader.name, detail });
  const outcomes = new Map(observed.publications.map(({ digest, outcome }) => [digest, outcome]));
  for (const event of reader.events) {
    if (event.kind !== "notification") continue;
    const outcome = outcomes.get(event.digest);
    if (outcome === undefined) found("altered", `nobody published what came at ${event.position}`);
    if (outcome === "refused") found("refused-delivered", `${event.position} had been refused`);
  }
  if (reader.resumes) checkResuming(observed, reader, found);
  else checkPlain(observed, reader, found);
  return violations;
}

/** Everything after what it had, once; or word of a gap, and then everything that the log holds. */
function checkResuming({ log, losses }: Observed, { events }: ReaderSeen, found: Found): void {
  const segments = segmentsOf(events, "gap");
  if (segments.length > 1 && losses.length === 0) found("gap", "was told of a gap, and nothing was lost");
  for (const [number, segment] of segments.entries()) {
    for (const [index, { position = "" }] of segment.entries()) {
      const due = index === 0 ? 1 : sequenceOf(segment[index - 1]?.position ?? "") + 1;
      const got = sequenceOf(position);
      if (got === due) continue;
      if (got > due) found("hole", `${position} came where ${due} was due`);
      else found("reordered", `${position} came again, or late: ${due} was due`);
    }
    if (number === segments.length - 1) checkAgainst(log, segment, found);
  }
}

/** The last part of what a reader was told is what the log holds. */
function checkAgainst(log: readonly LogEntry[], segment: readonly Notified[], found: Found): void {
  const digests = new Map(log.map(({ sequence, digest }) => [sequence, digest]));
  const other = segment.find(({ position = "", digest }) => digests.get(sequenceOf(position)) !== digest);
  if (other !== undefined) found("altered", `${other.position} is not what the log holds there`);
  const last = sequenceOf(segment.at(-1)?.position ?? "x-0");
  const newest = log.at(-1)?.sequence ?? 0;
  if (last < newest) found("lost", `got everything up to ${last}, the log goes to ${newest}`);
}

/** It asks for nothing again: what comes on one connection follows on one another. */
function checkPlain({ log, losses }: Observed, { events }: ReaderSeen, found: Found): void {
  if (losses.length > 0) return;
  const indices = new Map(log.map(({ digest }, index) => [digest, index]));
  for (const segment of segmentsOf(events, "connected")) {
    const got = segment.flatMap(({ digest }) => indices.get(digest) ?? []);
    for (const [at, index] of got.entries()) {
      const before = got[at - 1];
      if (before === undefined || index === before + 1) continue;
      if (index > before) found("lost", `${index - before - 1} are missing before ${log[index]?.position}`);
      else found("reordered", `${log[index]?.position} came after ${log[before]?.position}`);
    }
  }
}

function segmentsOf(events: readonly ReaderEvent[], border: "gap" | "connected"): Notified[][] {
  const segments: Notified[][] = [[]];
  for (const event of events) {
    if (event.kind === border) segments.push([]);
    else if (event.kind === "notification") segments.at(-1)?.push(event);
  }
  return segments;
}

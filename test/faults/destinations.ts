import { type Callback, type CallbackKind, goneAfter, startCallback } from "./callbacks.ts";
import { type Reader, type ReaderKind, startReader } from "./live-readers.ts";
import type { LogEntry, ReaderEvent } from "./observed.ts";
import { sequenceOf } from "./observed.ts";
import { createRandom, type Random } from "./random.ts";
import { channelPath, type World } from "./world.ts";

const callbackKinds: readonly CallbackKind[] = [
  "steady",
  "steady",
  "slow",
  "flaky",
  "stalling",
  "dead",
  "gone",
];
const readerKinds: readonly ReaderKind[] = ["socket", "socket", "events", "plain"];

/** Must get everything, whatever happens. */
export const isGood = ({ kind }: Callback): boolean => kind !== "dead" && kind !== "gone";

export async function startCallbacks(seed: number): Promise<readonly Callback[]> {
  return await Promise.all(
    callbackKinds.map((kind, index) => startCallback(`${kind}-${index}`, kind, createRandom(seed + index))),
  );
}

/** Each connects through the network of one hub. */
export function startReaders({ hubs }: World): readonly Reader[] {
  return readerKinds.map((kind, index) => {
    const { front } = hubs[index % hubs.length] ?? hubs[0];
    return startReader(`${kind}-${index}`, kind, front.port, channelPath);
  });
}

/** One of them breaks off and resumes now and then, until it is told to stop. */
export function restless(reader: Reader | undefined, random: Random): () => void {
  const timer = setInterval(() => reader?.breakOff(), random.between(300, 900));
  return () => clearInterval(timer);
}

/** Whether all that must have everything have come to the end of the log, and those that are gone have said so. */
export function haveCaughtUp(
  log: readonly LogEntry[],
  callbacks: readonly Callback[],
  readers: readonly Reader[],
): boolean {
  const last = log.at(-1);
  if (last === undefined) return true;
  const atEnd = readers
    .filter(({ kind }) => kind !== "plain")
    .every(({ events }) => sequenceOf(lastPosition(events)) === last.sequence);
  const areGone = callbacks
    .filter(({ kind }) => kind === "gone" && log.length > goneAfter)
    .every(({ refusals }) => refusals() > 0);
  return (
    atEnd &&
    areGone &&
    callbacks.filter(isGood).every(({ taken }) => taken.some(({ digest }) => digest === last.digest))
  );
}

const lastPosition = (events: readonly ReaderEvent[]): string =>
  events.findLast((event) => event.kind === "notification")?.position ?? "x-0";

import type { Socket } from "node:net";
import { parseLiveMessage } from "../../src/protocol/live-messages.ts";
import { liveSubprotocol } from "../../src/protocol/live-subprotocols.ts";
import { createFrameReader } from "./frame-reader.ts";
import type { Target } from "./target.ts";
import { openWebSocket } from "./web-socket.ts";

export interface ResumingReader {
  /** Notifications that came right after the one before. */
  count(): number;
  disordered(): number;
  reconnections(): number;
  /** Breaks off no more. */
  stay(): void;
}

/** A reader breaks off after as long as this at least, and after three times as long at most. Milliseconds. */
const shortest = 2000;

/** Reads from the beginning of the log; breaks off again and again, and resumes where it was. */
export async function startResumingReader(target: Target): Promise<ResumingReader> {
  let after = "earliest";
  let sequence = 0;
  let disordered = 0;
  let connections = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStaying = false;

  function take(payload: Buffer): void {
    const message = parseLiveMessage(payload.toString("utf8"));
    if (message?.type !== "notification") return;
    const got = Number(message.position.split("-").at(-1));
    if (got !== sequence + 1) disordered += 1;
    [sequence, after] = [got, message.position];
  }

  async function connect(): Promise<void> {
    connections += 1;
    let isWanted = true;
    const read = createFrameReader((payload) => {
      // What was on its way when it broke off comes again.
      if (isWanted) take(payload);
    });
    const socket: Socket = await openWebSocket(target, { after, subprotocol: liveSubprotocol }, read);
    socket.on("error", () => {});
    socket.once("close", () => {
      isWanted = false;
      clearTimeout(timer);
      void connect();
    });
    if (isStaying) return;
    timer = setTimeout(() => socket.destroy(), shortest * (1 + 2 * Math.random()));
  }

  await connect();
  return {
    count: () => sequence,
    disordered: () => disordered,
    reconnections: () => connections - 1,
    stay() {
      isStaying = true;
      clearTimeout(timer);
    },
  };
}

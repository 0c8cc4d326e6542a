import { WebSocket } from "ws";
import { parseLiveMessage } from "../../src/protocol/live-messages.ts";
import { liveSubprotocol } from "../../src/protocol/live-subprotocols.ts";
import { type LogEntry, sequenceOf } from "./observed.ts";
import { digestOf } from "./payload.ts";
import { channelPath } from "./world.ts";

/** Everything that the log holds, as a reader is told it who asks for the earliest. */
export function readLog(port: number): Promise<readonly LogEntry[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${channelPath}?after=earliest`, liveSubprotocol);
  const entries: LogEntry[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the log could not be read within 20 s")), 20_000);
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(entries);
    });
    socket.on("message", (data: Buffer) => {
      const message = parseLiveMessage(data.toString());
      if (message?.type === "caught-up") socket.close();
      if (message?.type !== "notification") return;
      const { position, payload } = message;
      entries.push({ sequence: sequenceOf(position), position, digest: digestOf(payload) });
    });
  });
}

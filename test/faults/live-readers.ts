import { get } from "node:http";
import { WebSocket } from "ws";
import { type LiveMessage, parseLiveMessage, positionAfter } from "../../src/protocol/live-messages.ts";
import { liveSubprotocol } from "../../src/protocol/live-subprotocols.ts";
import type { ReaderEvent } from "./observed.ts";
import { digestOf } from "./payload.ts";

export type ReaderKind = "socket" | "events" | "plain";

export interface Reader {
  readonly name: string;
  readonly kind: ReaderKind;
  readonly events: readonly ReaderEvent[];
  readonly connections: () => number;
  /** Breaks off, and comes back. */
  breakOff(): void;
  close(): void;
}

interface Connection {
  close(): void;
}

/** `resumeAfter`: where it would resume from now on. */
type Told = (event: ReaderEvent | undefined, resumeAfter?: string) => void;
type Connect = (after: string | undefined, told: Told, ended: () => void) => Connection;

const comesBackAfter = 30;

/** A live reader, which comes back whenever its connection ends; all but the plain one ask for what followed. */
export function startReader(name: string, kind: ReaderKind, port: number, path: string): Reader {
  const connect = connecting[kind](`127.0.0.1:${port}${path}`);
  const events: ReaderEvent[] = [];
  let after: string | undefined = kind === "plain" ? undefined : "earliest";
  let connections = 0;
  let isClosed = false;
  let current: Connection | undefined;

  function open(): void {
    if (isClosed) return;
    let isCurrent = true;
    const told: Told = (event, resumeAfter = after) => {
      // What is still on its way when it breaks off comes again.
      if (!isCurrent) return;
      after = resumeAfter;
      if (event?.kind === "connected") connections += 1;
      if (event !== undefined) events.push(event);
    };
    current = connect(after, told, () => {
      if (!isCurrent) return;
      isCurrent = false;
      setTimeout(open, comesBackAfter);
    });
  }
  open();
  return {
    name,
    kind,
    events,
    connections: () => connections,
    breakOff: () => current?.close(),
    close() {
      isClosed = true;
      current?.close();
    },
  };
}

const connecting: Record<ReaderKind, (place: string) => Connect> = {
  socket: (place) => (after, told, ended) => {
    const socket = new WebSocket(`ws://${place}?after=${after}`, liveSubprotocol);
    return watch(socket, told, ended, (text) => {
      const message = parseLiveMessage(text);
      if (message === undefined) return;
      told(eventOf(message), positionAfter(message));
    });
  },
  plain: (place) => (_after, told, ended) =>
    watch(new WebSocket(`ws://${place}`), told, ended, (text) => {
      told({ kind: "notification", digest: digestOf(text), position: undefined });
    }),
  events: (place) => (after, told, ended) => {
    const headers = { accept: "text/event-stream" };
    const resuming = after === "earliest" ? { headers } : { headers: { ...headers, "last-event-id": after } };
    const url = `http://${place}${after === "earliest" ? "?after=earliest" : ""}`;
    const request = get(url, { ...resuming, agent: false }, (response) => {
      if (response.statusCode === 200) told({ kind: "connected" });
      else response.destroy();
      response.on("error", () => {});
      response.on("close", ended);
      readEvents(response, told);
    });
    request.on("error", ended);
    return { close: () => request.destroy() };
  },
};

function eventOf(message: LiveMessage): ReaderEvent | undefined {
  if (message.type === "caught-up") return undefined;
  if (message.type === "gap") return { kind: "gap" };
  return { kind: "notification", digest: digestOf(message.payload), position: message.position };
}

function watch(socket: WebSocket, told: Told, ended: () => void, take: (text: string) => void): Connection {
  socket.on("open", () => told({ kind: "connected" }));
  socket.on("message", (data: Buffer) => take(data.toString()));
  socket.on("error", () => {});
  socket.on("close", ended);
  return { close: () => socket.terminate() };
}

/** Server-Sent Events (HTML §9.2.6), as far as a hub uses them. */
function readEvents(response: NodeJS.ReadableStream, told: Told): void {
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    const blocks = `${rest}${chunk}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/s.exec(line));
      const valuesOf = (name: string) =>
        fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? "");
      const [[event], [id]] = [valuesOf("event"), valuesOf("id")];
      const digest = digestOf(valuesOf("data").join("\n"));
      if (event === "gap") told({ kind: "gap" }, id);
      else told(event === "notification" ? { kind: "notification", digest, position: id } : undefined, id);
    }
  });
}

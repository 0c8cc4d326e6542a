import { type PerMessageDeflateOptions, WebSocket } from "ws";
import { type LiveMessage, parseLiveMessage } from "../../src/protocol/live-messages.ts";
import { liveSubprotocol } from "../../src/protocol/live-subprotocols.ts";

export interface SocketReader extends Disposable {
  readonly socket: WebSocket;
  /** Payloads of the frames, in the order of their coming. */
  readonly frames: Buffer[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  opened(): Promise<void>;
  /** The frames of a reader of JSON. */
  messages(): LiveMessage[];
  /** The payloads of the notifications among them. */
  payloads(): string[];
}

interface Options {
  readonly protocols?: string[];
  readonly autoPong?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the client offers; nothing unless told otherwise. */
  readonly perMessageDeflate?: boolean | PerMessageDeflateOptions;
}

/** A client that keeps what it gets; with the JSON subprotocol unless told otherwise. */
export function connectReader(
  url: string,
  after?: string,
  { protocols = [liveSubprotocol], ...options }: Options = {},
): SocketReader {
  const target = new URL(url);
  if (after !== undefined) target.searchParams.set("after", after);
  const socket = new WebSocket(target, protocols, { perMessageDeflate: false, ...options });
  const frames: Buffer[] = [];
  socket.on("message", (data) => {
    if (Buffer.isBuffer(data)) frames.push(data);
  });
  socket.on("error", () => {});
  const parsed: LiveMessage[] = [];
  const messages = () => {
    for (const frame of frames.slice(parsed.length)) parsed.push(parseLiveMessage(frame.toString("utf8"))!);
    return [...parsed];
  };
  return {
    socket,
    frames,
    closed: new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    }),
    opened: () =>
      new Promise((resolve, reject) => {
        if (socket.readyState === WebSocket.OPEN) resolve();
        socket.once("open", resolve).once("error", reject);
      }),
    messages,
    payloads: () =>
      messages().flatMap((message) => (message.type === "notification" ? [message.payload] : [])),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

import { type RawData, WebSocket } from "ws";
import { type LiveMessage, parseLiveMessage } from "../protocol/live-messages.ts";
import { liveSubprotocol } from "../protocol/live-subprotocols.ts";
import { parseProblem, type Problem } from "./problem.ts";

/** The hub answered the request to connect with an HTTP error. */
export class ListenRefused extends Error {
  override name = "ListenRefused";
  readonly mayRetry: boolean;
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`The hub answered ${problem.status}: ${problem.detail}`);
    this.problem = problem;
    this.mayRetry = problem.status >= 500 || problem.status === 429;
  }
}

/** Messages that wait for the caller before the hub is asked, by back-pressure, to pause. */
const maxWaiting = 256;
const maxMessageBytes = 128 * 1024 * 1024;
const maxProblemBytes = 64 * 1024;
/** Milliseconds between pings; a hub that was silent from one to the next but one is taken for gone. */
const pingInterval = 20_000;

/**
 * What one connection brings, until it ends; returns why it ended. The connection is paused while the caller is slow, and
 * closed when it stops. Throws `ListenRefused`, or the error that kept it from connecting.
 */
export async function* liveConnection(
  url: URL,
  {
    headers,
    signal,
    onOpen,
  }: { headers: Readonly<Record<string, string>>; signal: AbortSignal | undefined; onOpen: () => void },
): AsyncGenerator<LiveMessage, string, undefined> {
  const socket = new WebSocket(url, [liveSubprotocol], {
    headers,
    handshakeTimeout: 15_000,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  const waiting: LiveMessage[] = [];
  let ended: { readonly reason: string } | { readonly error: Error } | undefined;
  let wake = (): void => {};
  const end = (how: typeof ended): void => {
    ended ??= how;
    wake();
  };
  const abort = (): void => end({ reason: "stopped" });
  const stopWatching = watchForSilence(socket);

  socket.on("open", onOpen);
  socket.on("message", (data, isBinary) => {
    const message = isBinary ? undefined : parseLiveMessage(textOf(data));
    if (message === undefined) return;
    waiting.push(message);
    if (waiting.length >= maxWaiting) socket.pause();
    wake();
  });
  socket.on("unexpected-response", (_request, response) => {
    readUpTo(response, maxProblemBytes).then(
      (body) => end({ error: new ListenRefused(parseProblem(response.statusCode ?? 0, body)) }),
      (error: unknown) => end({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
  });
  socket.on("error", (error) => end({ error }));
  socket.on("close", (code, reason) => end({ reason: `closed with ${code} ${reason.toString()}`.trim() }));
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();

  try {
    for (;;) {
      const message = waiting.shift();
      if (message !== undefined) {
        yield message;
        continue;
      }
      if (socket.isPaused) socket.resume();
      if (ended !== undefined) {
        if ("error" in ended) throw ended.error;
        return ended.reason;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stopWatching();
    signal?.removeEventListener("abort", abort);
    // An error that comes from cutting it off is nobody's concern any more; `error` has a listener.
    if (socket.readyState === WebSocket.OPEN) socket.close(1000);
    else socket.terminate();
  }
}

/** Cuts the connection off where the hub shows no sign of life; a connection that we paused shows none. */
function watchForSilence(socket: WebSocket): () => void {
  let silentFor = 0;
  const heard = (): void => {
    silentFor = 0;
  };
  socket.on("message", heard).on("ping", heard).on("pong", heard);
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return;
    if (silentFor >= 2) {
      socket.terminate();
      return;
    }
    silentFor += 1;
    socket.ping();
  }, pingInterval);
  return () => clearInterval(timer);
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString("utf8");
}

async function readUpTo(stream: AsyncIterable<Buffer>, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { validateDocument, type Validation, type ValidationOptions } from "../protocol/validate-document.ts";

interface Task {
  readonly payload: Uint8Array;
  readonly options: ValidationOptions;
}

/** A document of 50 MB takes a third of it. */
const maxHeapMegabytes = 768;

function isTask(data: unknown): data is Task {
  return typeof data === "object" && data !== null && "payload" in data && "options" in data;
}

// This file is the thread as well: only so does its name stay right when it is compiled.
if (!isMainThread && isTask(workerData)) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(validateDocument(workerData.payload, workerData.options));
}

/** Where the thread begins: here. Run from source, it must first learn to read TypeScript. */
function entryPoint(): URL {
  const here = import.meta.url;
  if (!here.endsWith(".ts")) return new URL(here);
  const loader = import.meta.resolve("tsx/esm/api");
  const script = `import { register } from "${loader}"; register(); await import("${here}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}

function needsMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** `called-off`: nobody waits for the answer any more. */
export type ThreadOutcome = Validation | "out-of-memory" | "called-off";

/** Validates in a thread of its own, so that a large document delays nobody else. `abandon` ends it. */
export async function validateInThread(task: Task, abandon: AbortSignal): Promise<ThreadOutcome> {
  if (abandon.aborted) return "called-off";
  const worker = new Worker(entryPoint(), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  const stop = (): void => void worker.terminate();
  abandon.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<ThreadOutcome>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", (error) => (needsMemory(error) ? resolve("out-of-memory") : reject(error)));
      worker.once("exit", () => resolve("called-off"));
    });
  } finally {
    abandon.removeEventListener("abort", stop);
  }
}

import { checkCallback } from "./check-callback.ts";
import { checkLog } from "./check-log.ts";
import { checkReader } from "./check-reader.ts";
import type { Observed, Violation } from "./observed.ts";

/** Every way in which what a round saw breaks what the hub promises (docs/reliability.md). Pure. */
export function check(observed: Observed): Violation[] {
  return [
    ...checkLog(observed),
    ...observed.callbacks.flatMap((callback) => checkCallback(observed, callback)),
    ...observed.readers.flatMap((reader) => checkReader(observed, reader)),
  ];
}

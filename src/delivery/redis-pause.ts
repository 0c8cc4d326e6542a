import { checkJsonRow } from "../log/stored-row.ts";
import type { Failing, Paused } from "./delivery-ledger.ts";
import { exhaustedPause, storedPause } from "./stored-progress.ts";

/** Told apart from the time of a next attempt, which stands in the same place, by how it begins. */
const marker = "paused";

/** How a pause stands in the hash `waits`. */
export function pauseToWaitFor(paused: Paused): string {
  return marker + JSON.stringify(paused);
}

/** `undefined` where the wait is none or for the next attempt. */
export function pauseOf(
  wait: string | null,
  failing: Failing | undefined,
  where: string,
): Paused | undefined {
  if (wait === null || !wait.startsWith(marker)) return undefined;
  const json = wait.slice(marker.length);
  return json === "" ? exhaustedPause(failing) : checkJsonRow(storedPause, json, where);
}

import { callbacks } from "./callbacks.ts";
import type { Bench } from "./harness/bench.ts";
import { ingest } from "./ingest.ts";
import { liveFanout } from "./live-fanout.ts";
import { processes } from "./processes.ts";
import { validate } from "./validate.ts";

/** By name, in the order in which they run. */
export const benches: Readonly<Record<string, Bench>> = {
  ingest,
  "live-fanout": liveFanout,
  callbacks,
  validate,
  processes,
};

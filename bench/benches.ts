import { callbacks } from "./callbacks.ts";
import type { Bench } from "./harness/bench.ts";
import { growth } from "./growth.ts";
import { ingest } from "./ingest.ts";
import { latency } from "./latency.ts";
import { liveCatchUp } from "./live-catch-up.ts";
import { liveFanout } from "./live-fanout.ts";
import { processes } from "./processes.ts";
import { soak } from "./soak.ts";
import { validate } from "./validate.ts";

/** By name, in the order in which they run. */
export const benches: Readonly<Record<string, Bench>> = {
  ingest,
  "live-fanout": liveFanout,
  "live-catch-up": liveCatchUp,
  callbacks,
  latency,
  validate,
  growth,
  processes,
  soak,
};

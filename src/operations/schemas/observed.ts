import { z } from "zod";
import { type Endpoint, noInput } from "./endpoint.ts";
import { count, datetime } from "./values.ts";

export const circuitState = z.enum(["closed", "open", "half-open"]);

const origin = z.object({
  origin: z.string().describe("scheme, host and port of a server with callbacks"),
  state: circuitState.describe("open: nothing is sent there; half-open: one attempt probes"),
  since: datetime,
  until: datetime.optional().describe("when the next attempt probes"),
  because: z.string().optional().describe("why it opened"),
  running: count.describe("attempts under way"),
  waiting: count.describe("subscriptions that wait for their turn"),
  limit: count.describe("attempts that it may have at the same time"),
  averageMilliseconds: z.number().min(0).optional().describe("moving average of how long it takes to answer"),
});

const watchedSet = z.object({
  set: z.string(),
  url: z.url().describe("the Source's Change List"),
  lastLookedAt: datetime.optional().describe("absent before the first look"),
  nextLookAt: datetime.optional(),
  lastChangeAt: datetime.optional(),
  intervalSeconds: z.number().min(0).optional().describe("between two looks, at the moment"),
  failing: z.string().optional().describe("why the last look brought nothing"),
});

export const listOrigins = {
  ...noInput,
  name: "listOrigins",
  method: "get",
  path: "/origins",
  summary: "The servers of callbacks, as the process that answers knows them",
  answer: z.object({ origins: z.array(origin) }),
} as const satisfies Endpoint;

export const listWatched = {
  ...noInput,
  name: "listWatched",
  method: "get",
  path: "/watched",
  summary: "The sets that are watched, and how the last look at each Source went",
  answer: z.object({ watched: z.array(watchedSet) }),
} as const satisfies Endpoint;

export type ListedOrigin = z.output<typeof origin>;
export type ListedWatch = z.output<typeof watchedSet>;

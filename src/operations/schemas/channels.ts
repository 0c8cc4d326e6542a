import { z } from "zod";
import { count, datetime, next, paging, position } from "./values.ts";

export const setList = z
  .object({
    sets: z.array(
      z.object({
        id: z.string(),
        title: z.string().optional(),
        capabilityList: z.url(),
        channels: z.array(z.string()).describe("ids of its channels"),
      }),
    ),
  })
  .describe("the sets of resources of this hub");

const placed = z.object({ position, receivedAt: datetime });

const channel = z.object({
  id: z.string(),
  topic: z.string(),
  oldest: placed.optional().describe("the oldest notification that the log holds; absent where it is empty"),
  newest: placed.optional(),
  held: count.describe("notifications in the log"),
  subscriptions: z.object({ active: count, failing: count, paused: count }),
});

export const channelsQuery = z.strictObject(paging);

export const channelPage = z.object({ channels: z.array(channel), next });

export type SetList = z.output<typeof setList>;
export type ListedChannel = z.output<typeof channel>;

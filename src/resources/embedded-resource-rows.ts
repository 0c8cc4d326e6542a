import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { storedInstant } from "../log/stored-instant.ts";
import { type Changing, type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { type ResourceState, resourceState } from "./resource-state.ts";
import type { ResourceRow } from "./resource-store.ts";

/** Long work leaves room between its steps for what others want of the store. */
export const rowsAtOnce = 1000;

const headRow = z.object({
  revision: z.number().int(),
  resources: z.number().int(),
  state: resourceState,
});
const resourceRow = z.object({ changedAt: storedInstant, xml: z.string() });

/** The tables of the embedded resource store, and what its methods share. */
export function embeddedResourceRows(environment: EmbeddedEnvironment) {
  const heads = environment.table("resource-heads", headRow);
  const resources = environment.table("resources", resourceRow);
  const blocks = environment.table("resource-blocks", z.instanceof(Buffer));
  const editions = environment.table("resource-editions", z.number());

  /** Puts a row unless a later change is known; answers how many resources are listed more. */
  const put = (changing: Changing, place: readonly [string, string], row: ResourceRow): number => {
    const rows = resources.within(changing);
    const key = [...place, row.key];
    const before = rows.get(key);
    if (before !== undefined && before.changedAt > row.changedAt) return 0;
    rows.put(key, { changedAt: row.changedAt, xml: row.xml });
    return (row.xml === "" ? 0 : 1) - (before === undefined || before.xml === "" ? 0 : 1);
  };

  const moveHead = (
    changing: Changing,
    channel: ChannelId,
    expected: number,
    state: ResourceState,
    count: (before: number) => number,
  ): boolean => {
    const head = heads.within(changing).get([channel]);
    if ((head?.revision ?? 0) !== expected) return false;
    const resources = count(head?.resources ?? 0);
    heads.within(changing).put([channel], { revision: expected + 1, resources, state });
    return true;
  };
  const removeSome = async (channel: ChannelId, edition: string): Promise<boolean> => {
    const range = { ...keysBelow(channel, edition), limit: rowsAtOnce };
    const [rows, parts] = [[...resources.range(range)], [...blocks.range({ ...range, limit: 20 })]];
    await environment.write((changing) => {
      for (const { key } of rows) resources.within(changing).remove(key);
      for (const { key } of parts) blocks.within(changing).remove(key);
    });
    return rows.length + parts.length > 0;
  };

  return { heads, resources, blocks, editions, put, moveHead, removeSome };
}

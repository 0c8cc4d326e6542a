import type { IntentRequest } from "./subscription.ts";

/** An address that was asked enough can be asked again within ten minutes; requests are taken up every two. Milliseconds. */
const longest = 900_000;
/** Requests that wait for that: who has many names must not fill the store with what nobody may be asked about. */
export const mostPutOff = 300;

/** Which requests, whose address was asked enough, stay in the store for later. In the memory of one process. */
export function createPutOffs(now: () => number) {
  const putOff = new Map<string, number>();
  const isTooOld = (askedAt: number): boolean => now() - askedAt >= longest;

  return {
    /** `false` where it is to be given up. */
    mayWait({ id, askedAt }: Pick<IntentRequest, "id" | "askedAt">): boolean {
      if (isTooOld(askedAt)) return false;
      // What another process took up has ended there.
      for (const [other, since] of putOff) if (isTooOld(since)) putOff.delete(other);
      if (!putOff.has(id) && putOff.size >= mostPutOff) return false;
      putOff.set(id, askedAt);
      return true;
    },
    over({ id }: Pick<IntentRequest, "id">): void {
      putOff.delete(id);
    },
  };
}

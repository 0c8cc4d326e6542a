import type { z } from "zod";
import { keyOf } from "./given.ts";

interface Named {
  readonly is: string;
  /** Below the list. */
  readonly path: (string | number)[];
}

/** For the refinement of a list: `list` is its own key. */
export function refuseRepeats(list: string, names: readonly Named[], context: z.RefinementCtx): void {
  const first = new Map<string, Named>();
  for (const named of names) {
    const before = first.get(named.is);
    if (before === undefined) first.set(named.is, named);
    else
      context.addIssue({
        code: "custom",
        path: named.path,
        message: `"${named.is}" stands at ${keyOf([list, ...before.path])} already; each needs its own`,
      });
  }
}

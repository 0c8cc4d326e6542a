import { z } from "zod";
import { OperationRefused } from "./operation-refused.ts";

const shape = z.tuple([z.string(), z.string()]);

/** Where a page ended: a channel, and the last id in it. Lists are sorted by both. */
export interface PageEnd {
  readonly channel: string;
  readonly id: string;
}

/** For a URL; opaque to clients. */
export function writePageEnd({ channel, id }: PageEnd): string {
  return Buffer.from(JSON.stringify([channel, id])).toString("base64url");
}

/** Throws `OperationRefused` for a text that `writePageEnd` never wrote. */
export function readPageEnd(text: string): PageEnd {
  try {
    const [channel, id] = shape.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { channel, id };
  } catch {
    throw new OperationRefused(
      "unusable",
      "after is no place that this hub gave out: take the URL in `next` of the page before, whole.",
    );
  }
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** What the next page is asked for with; `undefined` in the last one. */
  readonly after: string | undefined;
}

/** Strings as their bytes compare, so that pages are in the same order everywhere. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

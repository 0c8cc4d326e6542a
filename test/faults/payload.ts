import { createHash } from "node:crypto";
import { notification } from "../../bench/harness/notification.ts";

/** How a round names a payload: two have the same name only if every byte is the same. */
export const digestOf = (payload: Buffer | string): string =>
  createHash("sha256").update(payload).digest("base64url").slice(0, 22);

/** The `number`th document of a round: none is like another. */
export const documentOf = (number: number, bytes: number): Buffer => notification(number, bytes);

/** Documents that a hub must refuse; by its rules, not because of where they come from. */
export const refusedDocumentOf = (number: number): Buffer => {
  const text = documentOf(number, 900).toString();
  return Buffer.from(
    number % 2 === 0 ? text.replace("</urlset>", "") : text.replace('change="updated"', 'change="eaten"'),
  );
};

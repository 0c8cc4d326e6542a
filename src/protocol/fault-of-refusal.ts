import { type Fault, messageOf } from "./fault.ts";
import type { Refusal } from "./refusal.ts";
import { rulesOfInput } from "./rules-of-input.ts";
import { placesOf } from "./source-place.ts";

/** Why a document could not be read, for a person: with its place in the text. */
export function faultOfRefusal({ rule, says, offset }: Refusal, text: string): Fault {
  const facts = rulesOfInput.find(({ id }) => id === rule);
  const [place = { line: 1, column: 1 }] = placesOf(text, [offset]);
  return { rule, severity: "error", message: messageOf(says, facts?.source ?? rule), ...place, path: "" };
}

export function tooLarge(bytes: number): Refusal {
  return { rule: "X05", says: `the document has more than ${bytes} bytes; divide it`, offset: 0 };
}

/** Where the root is neither urlset nor sitemapindex (rule N02): nothing in it can be told apart. */
export function faultOfRoot(name: string): Fault {
  const says = `the root element is <${name}>; a ResourceSync document is a urlset or a sitemapindex`;
  const message = messageOf(says, "ResourceSync 1.1 §7");
  return { rule: "N02", severity: "error", message, line: 1, column: 1, path: `/${name}` };
}

import type { HubOperator } from "../client/hub-operator.ts";
import { BadQuestion } from "./hub-access.ts";

const wholeLength = 22;
/** Ids that are named where several begin alike. */
const namedAtMost = 5;

/** The whole id of the subscription whose id begins with `text`; throws `BadQuestion` unless there is exactly one. */
export async function wholeId(operator: Pick<HubOperator, "subscriptions">, text: string): Promise<string> {
  if (!/^[\w-]{4,22}$/.test(text)) {
    throw new BadQuestion(
      `${JSON.stringify(text)} is no ID: it has 22 letters, digits, - and _, of which the first four or more are enough.`,
    );
  }
  if (text.length === wholeLength) return text;
  const found: string[] = [];
  for await (const { id } of operator.subscriptions({ id: text, limit: namedAtMost })) {
    found.push(id);
    if (found.length === namedAtMost) break;
  }
  const [only] = found;
  if (only === undefined) {
    throw new BadQuestion(
      `No subscription has an ID that begins with ${text}. \`subscriptions\` lists them.`,
    );
  }
  if (found.length > 1) {
    throw new BadQuestion(`Several IDs begin with ${text}: ${found.join(", ")} … Give more of it.`);
  }
  return only;
}

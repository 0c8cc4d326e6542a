import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import { stepsOf } from "./chosen-letters.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { EmbeddedLetters } from "./embedded-letters.ts";

/** The operator's side of the dead letters in LMDB. */
export function createEmbeddedDeadLetters(
  environment: EmbeddedEnvironment,
  rows: EmbeddedLetters,
): DeadLetters {
  const letters: DeadLetters = {
    page: async (channel, id, { after, limit }) => rows.page(channel, id, after, limit),
    count: async (channel, id) => rows.count(channel, id),
    async drop(channel, id, chosen) {
      let dropped = 0;
      for await (const sequences of stepsOf(letters, channel, id, chosen)) {
        dropped += await environment.write((changing) => rows.drop(changing, channel, id, sequences));
      }
      return dropped;
    },
    async resend(channel, id, chosen) {
      const outcome = { marked: 0, gone: 0 };
      for await (const sequences of stepsOf(letters, channel, id, chosen)) {
        const step = await environment.write((changing) => rows.mark(changing, channel, id, sequences));
        rows.noteMarks(channel);
        outcome.marked += step.marked;
        outcome.gone += step.gone;
      }
      return outcome;
    },
  };
  return letters;
}

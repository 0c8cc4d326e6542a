import { expect, test } from "vitest";
import { inPieces } from "../../src/operations/in-pieces.ts";

test("answers come in order, and between pieces whatever else waits has its turn", async () => {
  const all = Array.from({ length: 20 }, (_, n) => n);
  const answers: number[] = [];
  const turns: number[] = [];
  const takeTurns = (): void => {
    turns.push(answers.length);
    if (answers.length < all.length) setImmediate(takeTurns);
  };
  setImmediate(takeTurns);
  // What the embedded engine answers is there at once: nothing else would ever wait.
  for await (const answer of inPieces(all, 5, async (n) => n)) answers.push(answer);
  expect(answers).toEqual(all);
  expect(turns).toEqual(expect.arrayContaining([5, 10, 15]));
});

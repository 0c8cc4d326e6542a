/**
 * Turns single calls into batches: while one batch runs, the calls that arrive wait for the next. So a lone call is not
 * held up, and many at once share one round trip. `run` answers each item, in order; if it throws, each caller gets the error.
 */
export function createBatcher<Item, Answer>(run: (items: readonly Item[]) => Promise<readonly Answer[]>) {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let running = false;

  const drain = async (): Promise<void> => {
    running = true;
    // One turn of the event loop gathers what other deliveries finish in it.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const answers = await run(batch.map(({ item }) => item));
        for (const [index, { resolve, reject }] of batch.entries()) {
          const answer = answers[index];
          if (answer === undefined) reject(new Error("the batch left a call without an answer"));
          else resolve(answer);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  };

  return (item: Item): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void drain();
    });
}

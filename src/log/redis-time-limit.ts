interface Waiting {
  readonly until: number;
  readonly giveUp: () => void;
}

/**
 * Bounds how long callers wait for an answer, from their call on. One timer serves all, since who called first gives up first:
 * a timer for each would cost more than all else that a command costs this process.
 */
export function timeLimit(milliseconds: number) {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  const lookIn = (wait: number): void => {
    timer = setTimeout(look, wait).unref();
  };

  function look(): void {
    timer = undefined;
    const now = performance.now();
    for (const one of waiting) {
      if (one.until > now) return lookIn(one.until - now);
      waiting.delete(one);
      one.giveUp();
    }
  }

  return <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const until = performance.now() + milliseconds;
      const one = { until, giveUp: () => reject(new Error(`no answer within ${milliseconds} ms`)) };
      waiting.add(one);
      if (timer === undefined) lookIn(milliseconds);
      answer.then(
        (value) => {
          waiting.delete(one);
          resolve(value);
        },
        (error: unknown) => {
          waiting.delete(one);
          reject(error);
        },
      );
    });
}

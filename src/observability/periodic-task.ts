export interface PeriodicTask {
  /** Resolves when a round that was running has ended. */
  close(): Promise<void>;
}

/** Does `task` now and then every `milliseconds`, never twice at a time, and never keeps the process alive. */
export function startPeriodicTask(
  milliseconds: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): PeriodicTask {
  let running: Promise<void> | undefined;

  const round = (): void => {
    running ??= task()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  round();
  const timer = setInterval(round, milliseconds);
  timer.unref();

  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

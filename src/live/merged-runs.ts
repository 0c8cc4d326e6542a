/**
 * Runs `task` for calls that may come at any time, one run at a time: all calls of one turn of the event loop share a run,
 * and calls that come during a run share the next one.
 */
export function mergedRuns(task: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isWanted = false;

  async function run(): Promise<void> {
    try {
      while (isWanted) {
        isWanted = false;
        await task();
      }
    } finally {
      // In the same step in which the loop saw that nobody called: a later call starts a run of its own.
      isRunning = false;
    }
  }

  return () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    setImmediate(() => {
      run().catch(onError);
    });
  };
}

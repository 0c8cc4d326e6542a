/**
 * Calls `run` for each name once at a time: however often it is asked for meanwhile, one further call follows, which sees all
 * that happened before it was asked for. `run` does not throw.
 */
export function mergeCalls<Argument>(
  nameOf: (argument: Argument) => string,
  run: (argument: Argument) => Promise<void>,
): (argument: Argument) => Promise<void> {
  interface Calls {
    readonly running: Promise<void>;
    next: Promise<void> | undefined;
  }
  const calls = new Map<string, Calls>();

  const start = (name: string, argument: Argument): Promise<void> => {
    const running = run(argument).finally(() => {
      if (calls.get(name)?.next === undefined) calls.delete(name);
    });
    calls.set(name, { running, next: undefined });
    return running;
  };
  return (argument) => {
    const name = nameOf(argument);
    const held = calls.get(name);
    if (held === undefined) return start(name, argument);
    held.next ??= held.running.then(() => start(name, argument));
    return held.next;
  };
}

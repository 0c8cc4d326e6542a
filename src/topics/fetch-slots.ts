/** Lets so many fetches run at a time: each holds a whole document in memory. The others wait in turn. */
export function createFetchSlots(width: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Outcome>(fetch: () => Promise<Outcome>): Promise<Outcome> => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await fetch();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

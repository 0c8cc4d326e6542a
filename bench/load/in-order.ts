/** Holds many receivers to one order: that in which the first of them to get so far had the numbers. */
export function createOrder() {
  const order: number[] = [];
  const counts = new Map<string, number>();
  let disordered = 0;
  let repeated = 0;
  return {
    take(receiver: string, number: number): void {
      const index = counts.get(receiver) ?? 0;
      // Delivered at least once: the one before may come again.
      if (index > 0 && number === order[index - 1]) {
        repeated += 1;
        return;
      }
      counts.set(receiver, index + 1);
      if (index === order.length) order.push(number);
      else if (order[index] !== number) disordered += 1;
    },
    /** What those receivers have not got, of so many. */
    missing(receivers: readonly string[], published: number): number {
      return receivers.reduce((sum, receiver) => sum + published - (counts.get(receiver) ?? 0), 0);
    },
    faults: () => ({ disordered, repeated }),
    clear(): void {
      order.length = 0;
      counts.clear();
    },
  };
}

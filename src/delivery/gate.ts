/** Lets at most `width` pieces of work run at a time; the others wait in the order in which they came. */
export interface Gate {
  /** Resolves when there is room; the room is taken until `leave`. */
  enter(): Promise<void>;
  leave(): void;
  readonly inside: number;
}

export function createGate(width: number): Gate {
  const queue: (() => void)[] = [];
  let inside = 0;
  return {
    async enter() {
      if (inside < width) {
        inside += 1;
        return;
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    },
    leave() {
      const next = queue.shift();
      if (next === undefined) inside -= 1;
      else next();
    },
    get inside() {
      return inside;
    },
  };
}

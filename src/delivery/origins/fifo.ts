/** First in, first out, each in constant time: `Array.shift` moves everything that is behind. */
export interface Fifo<Item> {
  push(item: Item): void;
  first(): Item | undefined;
  shift(): Item | undefined;
  readonly length: number;
}

/** So many places that were left may lie before the first item. */
const maxLeft = 256;

export function createFifo<Item>(): Fifo<Item> {
  let items: (Item | undefined)[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    first: () => items[head],
    shift() {
      const item = items[head];
      if (item === undefined) return undefined;
      items[head] = undefined;
      head += 1;
      if (head === items.length) [items, head] = [[], 0];
      else if (head > maxLeft && head * 2 > items.length) [items, head] = [items.slice(head), 0];
      return item;
    },
    get length() {
      return items.length - head;
    },
  };
}

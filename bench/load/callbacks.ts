/** The receivers of callbacks: many subscriptions on some origins, each of which must get every notification in order. */
import { answer } from "../harness/child.ts";
import { numberOf } from "../harness/notification.ts";
import { startCallbackServer } from "./callback-server.ts";
import { createOrder } from "./in-order.ts";

const order = createOrder();
let missing = 0;
let isOrdered = true;
let isComplete = (): void => {};
let complete = Promise.resolve();

function take({ path, body }: { readonly path: string; readonly body: Buffer }): number {
  if (isOrdered) order.take(path, numberOf(body));
  missing -= 1;
  if (missing === 0) isComplete();
  return 204;
}

const handlers = {
  /** Answers their callbacks, spread over `origins`; the path is the number of the subscription. */
  async open({ subscriptions, origins }: { subscriptions: number; origins: number }): Promise<string[]> {
    const ports = await Promise.all(Array.from({ length: origins }, () => startCallbackServer(take)));
    return Array.from(
      { length: subscriptions },
      (_, index) => `http://127.0.0.1:${ports[index % ports.length]}/${index}`,
    );
  },
  /** Begins to count. Jobs of BullMQ go their own ways, so their order is not looked at. */
  expect({ deliveries, inOrder }: { deliveries: number; inOrder: boolean }): void {
    order.clear();
    missing = deliveries;
    isOrdered = inOrder;
    complete = new Promise((resolve) => (isComplete = resolve));
  },
  /** Resolves when as many have come. */
  async received(): Promise<void> {
    await complete;
    const { disordered } = order.faults();
    if (disordered > 0) throw new Error(`${disordered} deliveries came out of order`);
  },
};
export type CallbacksLoad = typeof handlers;
answer(handlers);

/** The load of live-catch-up: publishes what is to be replayed, and reads it again over some sockets. */
import { answer } from "../harness/child.ts";
import { notification } from "../harness/notification.ts";
import { createFrameCounter } from "./frame-counter.ts";
import { publicationOf } from "./keep-alive.ts";
import { inParallel, openPublisher } from "./publisher.ts";
import type { Target } from "./target.ts";
import { openWebSocket } from "./web-socket.ts";

export interface Replay {
  readonly target: Target;
  readonly sockets: number;
  /** Where each begins; `undefined` where the server knows only one place. */
  readonly after: string | undefined;
  /** How many each is to get. */
  readonly notifications: number;
}

/** Where the log stood after each publication of `fill`, by its number; a log that is filled in order is enough. */
let positions: string[] = [];

const handlers = {
  /** Publishes so many, whose numbers begin with 1. */
  async fill({ target, notifications }: { target: Target; notifications: number }): Promise<void> {
    const publisher = await openPublisher([target], 50);
    positions = [];
    await inParallel(notifications, 50, async (index) => {
      const { body } = await publisher.publish(publicationOf(target, notification(index + 1)));
      positions.push(/"position":"([^"]+)"/.exec(body)?.[1] ?? "");
    });
    publisher.close();
    const sequenceOf = (position: string): number => Number(position.split("-").at(-1));
    positions.sort((a, b) => sequenceOf(a) - sequenceOf(b));
  },
  /** The position after which so many were published by `fill`. */
  before: (notifications: number): string =>
    positions.at(-notifications - 1) ?? (notifications >= positions.length ? "earliest" : ""),
  /** Answers notifications a second, over all sockets. */
  async replay({ target, sockets, after, notifications }: Replay): Promise<number> {
    const began = performance.now();
    await Promise.all(
      Array.from({ length: sockets }, async () => {
        let finish = (): void => {};
        const finished = new Promise<void>((resolve) => (finish = resolve));
        let left = notifications;
        const count = createFrameCounter(() => {
          left -= 1;
          if (left === 0) finish();
        });
        const socket = await openWebSocket(target, after === undefined ? {} : { after }, count);
        await finished;
        socket.destroy();
      }),
    );
    return (sockets * notifications * 1000) / (performance.now() - began);
  },
};
export type ReplayLoad = typeof handlers;
answer(handlers);

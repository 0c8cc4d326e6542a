/** The load of ingest: publications that are ready before the clock runs, on connections that stay open. */
import { answer } from "../harness/child.ts";
import { notification } from "../harness/notification.ts";
import { publicationOf } from "./keep-alive.ts";
import { inParallel, openPublisher } from "./publisher.ts";
import type { Target } from "./target.ts";

interface Publishing {
  readonly target: Target;
  readonly connections: number;
  readonly notifications: number;
}

let number = 0;

/** Answers how many were published a second. */
async function publish({ target, connections, notifications }: Publishing): Promise<number> {
  const requests = Array.from({ length: notifications }, () =>
    publicationOf(target, notification((number += 1))),
  );
  const publisher = await openPublisher([target], connections);
  const milliseconds = await inParallel(notifications, connections, (index) =>
    publisher.publish(requests[index] ?? Buffer.alloc(0)),
  );
  publisher.close();
  return (notifications * 1000) / milliseconds;
}

const handlers = { publish };
export type IngestLoad = typeof handlers;
answer(handlers);

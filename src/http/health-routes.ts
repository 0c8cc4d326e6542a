import type { Request, Response } from "express";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Metrics } from "../observability/metrics.ts";

interface Parts {
  readonly log: Pick<NotificationLog, "probe">;
  readonly metrics: Pick<Metrics, "registry">;
  readonly isStopping: () => boolean;
}

/** For whoever runs the hub: is it alive, can it take work, what has it done. */
export function healthRoutes({ log, metrics, isStopping }: Parts) {
  return {
    live: (_request: Request, response: Response): void => {
      response.type("text/plain").send("alive\n");
    },

    /** Ready only if the storage takes a write, and not while the hub is stopping. */
    ready: async (_request: Request, response: Response): Promise<void> => {
      if (isStopping()) {
        response.status(503).type("text/plain").send("not ready: the hub is stopping\n");
        return;
      }
      await log.probe();
      response.type("text/plain").send("ready: the storage took a write\n");
    },

    metrics: async (_request: Request, response: Response): Promise<void> => {
      response.setHeader("Content-Type", metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
    },
  };
}

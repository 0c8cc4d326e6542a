import type { Request, Response } from "express";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { AuthoriseOperator } from "../operations/authorise-operator.ts";
import { bearerTokenOf } from "../security/access-token.ts";
import { withoutSets } from "./public-metrics.ts";

interface Parts {
  readonly channels: Pick<Channels, "sets">;
  readonly log: Pick<NotificationLog, "probe">;
  readonly metrics: Pick<Metrics, "registry">;
  readonly operate: AuthoriseOperator;
  readonly isStopping: () => boolean;
}

/** For whoever runs the hub: is it alive, can it take work, what has it done. */
export function healthRoutes({ channels, log, metrics, operate, isStopping }: Parts) {
  const privateSets = channels.sets.filter(({ isPrivate }) => isPrivate);
  const isOperator = async ({ headers }: Request): Promise<boolean> =>
    (await operate(bearerTokenOf(headers.authorization))).kind === "allowed";

  async function sendMetrics(response: Response, hidden: readonly ResourceSet[]): Promise<void> {
    response.setHeader("Content-Type", metrics.registry.contentType);
    response.setHeader("Cache-Control", "no-store");
    response.end(withoutSets(await metrics.registry.metrics(), hidden));
  }

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

    /** Of private sets only to operators. */
    metrics: async (request: Request, response: Response): Promise<void> => {
      const hidden = privateSets.length > 0 && !(await isOperator(request)) ? privateSets : [];
      await sendMetrics(response, hidden);
    },

    allMetrics: (_request: Request, response: Response): Promise<void> => sendMetrics(response, []),
  };
}

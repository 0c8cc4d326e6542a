import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Channels } from "../channels/registry.ts";
import type { LiveChannels } from "../live/live-channels.ts";
import { isUpgradeRefusal, refuseUpgrade } from "../live/refuse-upgrade.ts";
import { tokenOfSubprotocols } from "../protocol/live-subprotocols.ts";
import { bearerTokenOf } from "../security/access-token.ts";
import type { TellOfRefusal } from "./answer-problem.ts";
import type { Cors } from "./cors.ts";
import { problemOf } from "./problem.ts";
import { noSuchChannel } from "./publish-routes.ts";
import type { ReaderPermits } from "./reader-permits.ts";
import type { SetAccess } from "./set-access.ts";

interface Parts {
  readonly channels: Channels;
  readonly live: Pick<LiveChannels, "acceptWebSocket">;
  readonly setAccess: Pick<SetAccess, "sightOf">;
  readonly permits: ReaderPermits;
  readonly cors: Pick<Cors, "mayConnect">;
  readonly tell: TellOfRefusal;
}

/** Answers a request to upgrade to a WebSocket; `path` is its path as the hub's channels have it. */
export function upgradeRoute({ channels, live, setAccess, permits, cors, tell }: Parts) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer, path: string): void => {
    const { origin, authorization } = request.headers;
    if (!cors.mayConnect(origin)) {
      const detail =
        "Pages of this origin may not open live channels here: the hub lists those that may (cors.origins).";
      refuseUpgrade(socket, 403, detail);
      return;
    }
    const [, set = "", kind = ""] = /^\/sets\/([^/]+)\/([^/]+)\/?$/.exec(path) ?? [];
    const channel = channels.find(set, kind);
    if (channel?.isPrivate === false) {
      live.acceptWebSocket(channel, request, socket, head);
      return;
    }
    const token =
      bearerTokenOf(authorization) ?? tokenOfSubprotocols(request.headers["sec-websocket-protocol"]);
    admit(token).catch((error: unknown) => {
      const { status, detail, headers } = problemOf(error);
      tell(`upgrade to a WebSocket at ${path}`, request, error, { status });
      refuseUpgrade(socket, isUpgradeRefusal(status) ? status : 500, detail, headers);
    });

    async function admit(token: string | undefined): Promise<void> {
      const { sees, refusal } = await setAccess.sightOf(token);
      if (channel === undefined || !sees({ id: channel.set, isPrivate: true })) {
        throw refusal ?? noSuchChannel(path, channels);
      }
      live.acceptWebSocket(channel, request, socket, head, permits.hold(token, channel.set, socket));
    }
  };
}

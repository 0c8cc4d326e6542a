import type { Request, Response } from "express";
import type { Channel } from "../channels/channel.ts";
import { type Channels, publicSets, type ResourceSet } from "../channels/registry.ts";
import { advertisedSet } from "../discovery/advertised-set.ts";
import { type CapabilityListForm, writeCapabilityList } from "../discovery/capability-list.ts";
import { writeSourceDescription } from "../discovery/source-description.ts";
import { latestNotification } from "../discovery/topic.ts";
import type { ChangeLists } from "../discovery/change-lists.ts";
import type { LiveChannels } from "../live/live-channels.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";
import { bearerTokenOf } from "../security/access-token.ts";
import { RequestError } from "./problem.ts";
import { noSuchChannel } from "./publish-routes.ts";
import type { ReaderPermits } from "./reader-permits.ts";
import { sendDocument } from "./send-document.ts";
import { noSuchSet, type SetAccess } from "./set-access.ts";

interface Parts {
  readonly channels: Channels;
  readonly describedBy: string | undefined;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly live: Pick<LiveChannels, "acceptEventStream">;
  readonly resourceLists: Pick<ResourceLists, "has">;
  readonly changeLists: Pick<ChangeLists, "documentsOf">;
  readonly setAccess: Pick<SetAccess, "sight">;
  readonly permits: ReaderPermits;
}

const xml = "application/xml";

/** What Destinations find: the Source Description, the Capability Lists, the topics and their live channels. */
export function discoveryRoutes(parts: Parts) {
  const { channels, describedBy, log, live, resourceLists, changeLists, setAccess, permits } = parts;
  const hasPrivateSets = channels.sets.some(({ isPrivate }) => isPrivate);
  const permitOf = (channel: Channel, request: Request, response: Response): AbortSignal | undefined =>
    channel.isPrivate
      ? permits.hold(bearerTokenOf(request.headers.authorization), channel.set, response)
      : undefined;
  const describe = (sets: readonly ResourceSet[]): Buffer =>
    Buffer.from(writeSourceDescription(sets, describedBy));
  const ofPublicSets = describe(publicSets(channels));

  return {
    /** Who may read private sets sees them here, too. */
    sourceDescription: async (request: Request, response: Response): Promise<void> => {
      const { sees } = await setAccess.sight(request);
      const seen = channels.sets.filter(sees);
      const isForAll = seen.every(({ isPrivate }) => !isPrivate);
      if (!isForAll) response.setHeader("Cache-Control", "private, no-cache");
      if (hasPrivateSets) response.vary("Authorization");
      sendDocument(request, response, { body: isForAll ? ofPublicSets : describe(seen), contentType: xml });
    },

    capabilityList: async (request: Request<{ set: string }>, response: Response): Promise<void> => {
      const set = channels.sets.find(({ id }) => id === request.params.set);
      if (set === undefined) throw noSuchSet(request.params.set, channels);
      const form = formAsked(request.query["profile"], set.plainForm);
      const advertised = await advertisedSet(set, resourceLists);
      const made = changeLists.documentsOf(set);
      const body = Buffer.from(writeCapabilityList(advertised, form, channels.sourceDescriptionUrl, made));
      sendDocument(request, response, { body, contentType: xml });
    },

    topic: async (request: Request<{ set: string; kind: string }>, response: Response): Promise<void> => {
      const channel = channels.find(request.params.set, request.params.kind);
      if (channel === undefined)
        throw noSuchChannel(`${request.params.set}/${request.params.kind}`, channels);
      if (request.method === "GET" && request.accepts([xml, "text/event-stream"]) === "text/event-stream") {
        await live.acceptEventStream(channel, request, response, permitOf(channel, request, response));
        return;
      }
      const latest = await latestNotification(log, channel);
      sendDocument(request, response, {
        body: latest?.payload ?? Buffer.alloc(0),
        contentType: latest?.contentType ?? xml,
        modifiedAt: latest?.receivedAt,
        links: [
          { href: channel.topic, rel: "self" },
          { href: channel.hubUrl, rel: "hub" },
          { href: channel.capabilityListUrl, rel: "resourcesync" },
        ],
      });
    },
  };
}

function formAsked(profile: unknown, plain: CapabilityListForm): CapabilityListForm {
  switch (profile) {
    case undefined:
      return plain;
    case "0.8":
      return "websocket";
    case "1.0.1":
      return "websub";
    default:
      throw new RequestError(
        400,
        "profile is 1.0.1 (channels over WebSub) or 0.8 (channels over WebSockets).",
      );
  }
}

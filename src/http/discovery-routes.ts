import type { Request, Response } from "express";
import type { Channels } from "../channels/registry.ts";
import { advertisedSet } from "../discovery/advertised-set.ts";
import { type CapabilityListForm, writeCapabilityList } from "../discovery/capability-list.ts";
import { writeSourceDescription } from "../discovery/source-description.ts";
import { latestNotification } from "../discovery/topic.ts";
import type { ChangeLists } from "../discovery/change-lists.ts";
import type { LiveChannels } from "../live/live-channels.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";
import { RequestError } from "./problem.ts";
import { noSuchChannel } from "./publish-routes.ts";
import { sendDocument } from "./send-document.ts";

interface Parts {
  readonly channels: Channels;
  readonly describedBy: string | undefined;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly live: Pick<LiveChannels, "acceptEventStream">;
  readonly resourceLists: Pick<ResourceLists, "has">;
  readonly changeLists: Pick<ChangeLists, "documentsOf">;
}

const xml = "application/xml";

/** What Destinations find: the Source Description, the Capability Lists, the topics and their live channels. */
export function discoveryRoutes(parts: Parts) {
  const { channels, describedBy, log, live, resourceLists, changeLists } = parts;
  const sourceDescription = Buffer.from(writeSourceDescription(channels.sets, describedBy));

  return {
    sourceDescription: (request: Request, response: Response): void => {
      sendDocument(request, response, { body: sourceDescription, contentType: xml });
    },

    capabilityList: async (request: Request<{ set: string }>, response: Response): Promise<void> => {
      const set = channels.sets.find(({ id }) => id === request.params.set);
      if (set === undefined) {
        throw new RequestError(
          404,
          `This hub has no set of resources ${request.params.set}. Its sets are listed in ${channels.sourceDescriptionUrl}.`,
        );
      }
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
        await live.acceptEventStream(channel, request, response);
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

import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Request, Response } from "express";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import { writeResourceListIndex } from "../protocol/write-resource-list.ts";
import type { AuthorisePublisher } from "../publish/authorise.ts";
import { type BaselineOutcome, reasonOf } from "../resources/baseline-outcome.ts";
import type { ListToSend, ResourceLists } from "../resources/resource-lists.ts";
import { formatLinkHeader } from "../protocol/link-header.ts";
import { RequestError } from "./problem.ts";
import { boundedBody, requireXml } from "./request-body.ts";
import { requirePublisher } from "./require-publisher.ts";
import { hasAlready, sendDocument, setCaching } from "./send-document.ts";
import { noSuchSet } from "./set-access.ts";

interface Parts {
  readonly channels: Channels;
  readonly resourceLists: ResourceLists;
  readonly authorise: AuthorisePublisher;
  /** Bytes of one document. */
  readonly maxBytes: number;
}

const xml = "application/xml";
const divideIt = "Divide it among several Resource Lists with a Resource List Index.";

/** The Resource List of a set as the hub knows it: baseline in, lists out (ResourceSync 1.1 §10). */
export function resourceListRoutes({ channels, resourceLists, authorise, maxBytes }: Parts) {
  const setOf = (asked: string): ResourceSet => {
    const set = channels.sets.find(({ id }) => id === asked);
    if (set !== undefined) return set;
    throw noSuchSet(asked, channels);
  };
  const listUrl = (set: ResourceSet, number: number): string =>
    set.resourceListUrl.replace(/\.xml$/, `s/${number}.xml`);
  const linksOf = ({ capabilityListUrl }: ResourceSet) => [{ href: capabilityListUrl, rel: "resourcesync" }];

  return {
    /** The list, or the index of the lists. */
    get: async (request: Request<{ set: string }>, response: Response): Promise<void> => {
      const set = setOf(request.params.set);
      const snapshot = await resourceLists.current(set.id);
      if (snapshot === undefined) {
        throw new RequestError(
          404,
          `The hub knows no Resource List of the set ${set.id}, since its Source has given no baseline: the list would be incomplete. As its publisher, PUT a Resource List to ${set.resourceListUrl}, or name its URL as sets[].baseline in the hub's configuration.`,
        );
      }
      if (snapshot === "being-written") {
        throw new RequestError(
          503,
          `The Resource List of the set ${set.id} is being written. Ask again later.`,
          {
            headers: { "Retry-After": "10" },
          },
        );
      }
      const alone =
        snapshot.lists.length === 1 ? await resourceLists.list(set.id, snapshot.first) : undefined;
      if (alone !== undefined) {
        await sendList(request, response, alone, linksOf(set));
        return;
      }
      const urls = snapshot.lists.map((_, index) => listUrl(set, snapshot.first + index));
      sendDocument(request, response, {
        body: Buffer.from(writeResourceListIndex(set.capabilityListUrl, snapshot, urls)),
        contentType: xml,
        modifiedAt: snapshot.writtenAt,
        links: linksOf(set),
      });
    },

    /** One of the lists that the index names. */
    part: async (request: Request<{ set: string; list: string }>, response: Response): Promise<void> => {
      const set = setOf(request.params.set);
      const number = /^([1-9]\d{0,14})\.xml$/.exec(request.params.list)?.[1];
      const list = number === undefined ? undefined : await resourceLists.list(set.id, Number(number));
      if (list === undefined) {
        throw new RequestError(
          404,
          `There is no such list any more: the lists were written anew. Read ${set.resourceListUrl} again; it names those that are.`,
        );
      }
      await sendList(request, response, list, linksOf(set));
    },

    /** A baseline from the Source. */
    put: async (request: Request<{ set: string }>, response: Response): Promise<void> => {
      const set = setOf(request.params.set);
      await requirePublisher(authorise, request, set.id);
      requireXml(request);
      const outcome = await resourceLists.take(set.id, boundedBody(request, maxBytes, divideIt));
      if (outcome.kind !== "taken") throw refusal(outcome);
      const { resources: entries, position, warnings } = outcome;
      response.status(200).json({ entries, position, warnings });
    },
  };
}

function refusal(outcome: Exclude<BaselineOutcome, { kind: "taken" }>): RequestError {
  if (outcome.kind === "unusable") return new RequestError(422, outcome.reason);
  const status = { unreadable: 400, "too-large": 413, "breaks-rules": 422 } as const;
  return new RequestError(status[outcome.because], reasonOf(outcome), { faults: outcome.faults });
}

/** Answers from the compressed blocks as they come from the store; they are unpacked for a client that takes no gzip. */
async function sendList(
  request: Request,
  response: Response,
  { snapshot, length, read }: ListToSend,
  links: readonly { readonly href: string; readonly rel: string }[],
): Promise<void> {
  const compressed = request.acceptsEncodings("gzip") === "gzip";
  const etag = `"${snapshot.edition}-${length}${compressed ? "-gzip" : ""}"`;
  response.setHeader("ETag", etag);
  response.setHeader("Last-Modified", new Date(snapshot.writtenAt).toUTCString());
  setCaching(response, "no-cache");
  response.setHeader("Link", formatLinkHeader(links));
  response.vary("Accept-Encoding");
  if (hasAlready(request, etag, snapshot.writtenAt)) {
    response.status(304).end();
    return;
  }
  response.setHeader("Content-Type", xml);
  if (compressed) {
    response.setHeader("Content-Encoding", "gzip");
    response.setHeader("Content-Length", length);
  }
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const sent = compressed ? pipeline(read, response) : pipeline(read, createGunzip(), response);
  await sent.catch((error: unknown) => {
    // The client went away: nobody is left to tell.
    if (!response.destroyed) throw error;
  });
}

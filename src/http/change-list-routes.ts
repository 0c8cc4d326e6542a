import type { Request, Response } from "express";
import type { Channels } from "../channels/registry.ts";
import type { ChangeLists } from "../discovery/change-lists.ts";
import type { ListDocument } from "../discovery/served-lists.ts";
import { RequestError } from "./problem.ts";
import { sendEncoded } from "./send-document.ts";
import { noSuchSet } from "./set-access.ts";

interface Parts {
  readonly channels: Channels;
  readonly changeLists: Pick<ChangeLists, "top" | "list" | "archive">;
}

/** The Change Lists that the hub makes from its log, their index and their archive. */
export function changeListRoutes({ channels, changeLists }: Parts) {
  function notHere(id: string, what: string): RequestError {
    const set = channels.sets.find((each) => each.id === id);
    if (set === undefined) return noSuchSet(id, channels);
    const own = set.capabilities.changelist;
    const instead = own === undefined ? set.capabilityListUrl : own;
    const why = own === undefined ? "" : ": its Source keeps its own";
    return new RequestError(404, `The set ${id} has no ${what} here${why}. See ${instead}.`);
  }

  async function send(
    request: Request<{ set: string }>,
    response: Response,
    document: ListDocument,
  ): Promise<void> {
    const set = channels.sets.find(({ id }) => id === request.params.set);
    const { digest, plain, gzipped, modifiedAt, isClosed } = document;
    await sendEncoded(request, response, {
      digest,
      plain,
      gzipped,
      modifiedAt,
      contentType: "application/xml",
      links: set === undefined ? [] : [{ href: set.capabilityListUrl, rel: "resourcesync" }],
      immutable: isClosed,
    });
  }

  return {
    top: async (request: Request<{ set: string }>, response: Response): Promise<void> => {
      const { set } = request.params;
      const document = await changeLists.top(set);
      if (document === undefined) throw notHere(set, "Change List");
      await send(request, response, document);
    },

    list: async (request: Request<{ set: string; file: string }>, response: Response): Promise<void> => {
      const { set, file } = request.params;
      const [, digits] = /^([1-9]\d{0,14})\.xml$/.exec(file) ?? [];
      const answer = digits === undefined ? undefined : await changeLists.list(set, Number(digits));
      if (answer?.kind === "gone") {
        throw new RequestError(
          410,
          `The Change List ${file} was kept for as long as this hub keeps them, and removed. ${answer.top} names those that are left; what happened before them is in the set's Resource List.`,
        );
      }
      if (answer?.kind !== "found") throw notHere(set, `Change List ${file}`);
      await send(request, response, answer.document);
    },

    archive: async (request: Request<{ set: string }>, response: Response): Promise<void> => {
      const { set } = request.params;
      const document = await changeLists.archive(set);
      if (document === undefined) throw notHere(set, "Change List Archive");
      await send(request, response, document);
    },
  };
}

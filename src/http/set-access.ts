import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { SetId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import { type Access, type Authority, grants, type Holder } from "../security/access.ts";
import { bearerTokenOf } from "../security/access-token.ts";
import type { MayReceive } from "../subscriptions/subscription.ts";
import { RequestError } from "./problem.ts";
import { tokenProblem } from "./token-problem.ts";

interface Parts {
  readonly channels: Channels;
  readonly access: Pick<Access, "identify" | "stands">;
}

/** What the sender of a request may know of. For everybody else a private set is not there. */
export interface Sight {
  readonly sees: (set: { readonly id: SetId; readonly isPrivate: boolean }) => boolean;
  /** By whose right a private set is seen; `undefined` where it is not, and where nobody's right is needed. */
  readonly authorityFor: (set: { readonly id: SetId; readonly isPrivate: boolean }) => Authority | undefined;
  /** The answer where nothing is found, and a token came that is not good: the same for what is private and what is not there. */
  readonly refusal: RequestError | undefined;
}

const words = {
  missing: "Reading a private set needs the header Authorization: Bearer TOKEN.",
  unknown:
    "The token of this request is not known to the hub, or no longer good; what is public can be read without one.",
};

/** Publishers read what they publish to: a Source asks the topic where its last interval ended. */
export function mayRead({ publish, subscribe }: Holder, set: SetId): boolean {
  return grants(subscribe, set) || grants(publish, set);
}

/** Keeps private sets from those who have no right to them, at every way in. */
export function createSetAccess({ channels, access }: Parts) {
  const isPrivate = new Set<string>(channels.sets.filter((set) => set.isPrivate).map(({ id }) => id));
  const onlyPublic: Sight = {
    sees: (set) => !set.isPrivate,
    authorityFor: () => undefined,
    refusal: undefined,
  };

  async function sightOf(token: string | undefined): Promise<Sight> {
    if (isPrivate.size === 0 || token === undefined) return onlyPublic;
    const found = await access.identify(token);
    if (found.kind !== "known") return { ...onlyPublic, refusal: tokenProblem(found, words) };
    const authorityFor: Sight["authorityFor"] = ({ id, isPrivate: needed }) =>
      needed ? found.holders.find((holder) => mayRead(holder, id)) : undefined;
    return {
      sees: (set) => !set.isPrivate || authorityFor(set) !== undefined,
      authorityFor,
      refusal: undefined,
    };
  }

  /** The same for a request, by its `Authorization` header. */
  const sight = (request: IncomingMessage): Promise<Sight> =>
    sightOf(bearerTokenOf(request.headers.authorization));

  /** `undefined` where it is none that this sender may know of; throws the answer where the token is not good. */
  async function visible<Channel extends { readonly set: SetId; readonly isPrivate: boolean }>(
    request: IncomingMessage,
    channel: Channel | undefined,
  ): Promise<Channel | undefined> {
    if (channel?.isPrivate === false) return channel;
    const { sees, refusal } = await sight(request);
    if (channel !== undefined && sees({ id: channel.set, isPrivate: true })) return channel;
    if (refusal !== undefined) throw refusal;
    return undefined;
  }

  /** Before everything below `/sets/{set}`: what follows needs to look no more. */
  const guard: RequestHandler<{ set: string }> = async (request, response, next) => {
    const set = channels.sets.find(({ id }) => id === request.params.set);
    if (set?.isPrivate !== false) {
      const { sees, refusal } = await sight(request);
      if (set === undefined || !sees(set)) {
        // A cache that kept it would give it to those who may read the set.
        response.setHeader("Cache-Control", "no-store");
        throw refusal ?? noSuchSet(request.params.set, channels);
      }
      // RFC 9111 §3.5: `public` would let a shared cache give it to others.
      response.setHeader("Cache-Control", "private, no-cache");
      response.vary("Authorization");
    }
    next();
  };

  const mayReceive: MayReceive = ({ channel, authority }) => {
    const found = channels.byId(channel);
    if (found?.isPrivate !== true) return true;
    return authority !== undefined && access.stands(authority, (holder) => mayRead(holder, found.set));
  };

  return { sight, sightOf, visible, guard, mayReceive };
}

export type SetAccess = ReturnType<typeof createSetAccess>;

/** The same words whether the set is private or not there at all. */
export function noSuchSet(asked: string, { sourceDescriptionUrl }: Channels): RequestError {
  return new RequestError(
    404,
    `This hub has no set of resources ${asked}, or none that the request may read. Its sets are listed in ${sourceDescriptionUrl}.`,
  );
}

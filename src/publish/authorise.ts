import type { SetId } from "../channels/channel.ts";
import { type Access, grants, type Identification } from "../security/access.ts";

export type Authorisation =
  | Exclude<Identification, { kind: "known" }>
  | { readonly kind: "allowed"; readonly publisher: string }
  /** Of other sets, or of none: an operator's token, or that of a subscriber. */
  | { readonly kind: "not-entitled"; readonly holder: string };

/** Who may publish to a set, by the bearer token of the request (RFC 6750). */
export function authorisePublisher(access: Pick<Access, "identify">) {
  return async (token: string | undefined, set: SetId): Promise<Authorisation> => {
    const found = await access.identify(token);
    if (found.kind !== "known") return found;
    const entitled = found.holders.find(({ publish }) => grants(publish, set));
    return entitled === undefined
      ? { kind: "not-entitled", holder: found.holders[0].name }
      : { kind: "allowed", publisher: entitled.name };
  };
}

export type AuthorisePublisher = ReturnType<typeof authorisePublisher>;

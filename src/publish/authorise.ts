import type { SetId } from "../channels/channel.ts";
import { bearerTokenOf, tokenMatches } from "../security/access-token.ts";

export interface Publisher {
  readonly name: string;
  readonly tokenSha256: string;
  readonly sets: readonly SetId[] | "all";
}

export type Authorisation =
  | { readonly kind: "allowed"; readonly publisher: string }
  | { readonly kind: "no-token" }
  | { readonly kind: "unknown-token" }
  | { readonly kind: "other-sets"; readonly publisher: string };

/** Who may publish to a set, by the bearer token of the request (RFC 6750). */
export function authorisePublisher(publishers: readonly Publisher[]) {
  return (authorization: string | undefined, set: SetId): Authorisation => {
    const token = bearerTokenOf(authorization);
    if (token === undefined) return { kind: "no-token" };
    // Every hash is compared, so that the time taken does not tell which publisher a token belongs to.
    const matching = publishers.filter(({ tokenSha256 }) => tokenMatches(token, tokenSha256));
    const [first] = matching;
    if (first === undefined) return { kind: "unknown-token" };
    const entitled = matching.find(({ sets }) => sets === "all" || sets.includes(set));
    return entitled === undefined
      ? { kind: "other-sets", publisher: first.name }
      : { kind: "allowed", publisher: entitled.name };
  };
}

export type AuthorisePublisher = ReturnType<typeof authorisePublisher>;

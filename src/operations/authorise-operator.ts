import { bearerTokenOf, tokenMatches } from "../security/access-token.ts";

interface Tokens {
  readonly admin: { readonly tokenSha256: string } | undefined;
  readonly publishers: readonly { readonly name: string; readonly tokenSha256: string }[];
}

export type OperatorAuthorisation =
  | { readonly kind: "allowed" | "no-token" | "unknown-token" }
  | { readonly kind: "publisher"; readonly name: string };

/** Whether a request comes from an operator, by its bearer token (RFC 6750). */
export function authoriseOperator({ admin, publishers }: Tokens) {
  return (authorization: string | undefined): OperatorAuthorisation => {
    const token = bearerTokenOf(authorization);
    if (token === undefined) return { kind: "no-token" };
    if (admin !== undefined && tokenMatches(token, admin.tokenSha256)) return { kind: "allowed" };
    const publisher = publishers.find(({ tokenSha256 }) => tokenMatches(token, tokenSha256));
    return publisher === undefined ? { kind: "unknown-token" } : { kind: "publisher", name: publisher.name };
  };
}

export type AuthoriseOperator = ReturnType<typeof authoriseOperator>;

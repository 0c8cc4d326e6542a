import type { IncomingMessage } from "node:http";
import type { AuthoriseOperator } from "../operations/authorise-operator.ts";
import { RequestError } from "./problem.ts";

const challenge = 'Bearer realm="resourcesync-hub"';

/** Throws the answer where the request does not come from an operator. */
export function requireOperator(authorise: AuthoriseOperator, request: IncomingMessage): void {
  const authorisation = authorise(request.headers.authorization);
  switch (authorisation.kind) {
    case "allowed":
      return;
    case "no-token":
      throw new RequestError(
        401,
        "The operators' API needs the header Authorization: Bearer TOKEN, with the hub's admin token: that of tokens.json in the data directory, or the one whose hash is admin.tokenSha256 in the configuration.",
        { headers: { "WWW-Authenticate": challenge } },
      );
    case "unknown-token":
      throw new RequestError(
        401,
        "This is not the hub's admin token. `resourcesync-hub token new --kind admin` makes one; its hash belongs in the configuration as admin.tokenSha256.",
        { headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` } },
      );
    case "publisher":
      throw new RequestError(
        403,
        `This is the token of the publisher ${authorisation.name}, who may publish and nothing else. The operators' API takes the hub's admin token.`,
      );
  }
}

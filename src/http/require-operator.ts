import type { IncomingMessage } from "node:http";
import type { AuthoriseOperator } from "../operations/authorise-operator.ts";
import { bearerTokenOf } from "../security/access-token.ts";
import { RequestError } from "./problem.ts";
import { tokenProblem } from "./token-problem.ts";

const words = {
  missing:
    "The operators' API needs the header Authorization: Bearer TOKEN, with the hub's admin token: that of tokens.json in the data directory, or the one whose hash is admin.tokenSha256 in the configuration.",
  unknown:
    "This is not the hub's admin token. `resourcesync-hub token new --kind admin` makes one; its hash belongs in the configuration as admin.tokenSha256.",
};

/** Throws the answer where the request does not come from an operator. */
export async function requireOperator(authorise: AuthoriseOperator, request: IncomingMessage): Promise<void> {
  const authorisation = await authorise(bearerTokenOf(request.headers.authorization));
  switch (authorisation.kind) {
    case "allowed":
      return;
    case "no-operator":
      throw new RequestError(
        403,
        `This is the token of ${authorisation.who}, who may publish or read and nothing else. The operators' API takes the hub's admin token.`,
      );
    case "no-token":
    case "unknown-token":
    case "undecided":
      throw tokenProblem(authorisation, words);
  }
}

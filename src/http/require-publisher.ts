import type { IncomingMessage } from "node:http";
import type { SetId } from "../channels/channel.ts";
import type { AuthorisePublisher } from "../publish/authorise.ts";
import { bearerTokenOf } from "../security/access-token.ts";
import { RequestError } from "./problem.ts";
import { tokenProblem } from "./token-problem.ts";

const words = {
  missing: "Publishing needs the header Authorization: Bearer TOKEN.",
  unknown: "No publisher of this hub has this token. Ask whoever runs the hub for one.",
};

/** Who sends this, if that is a publisher of the set; throws the answer where it is not. */
export async function requirePublisher(
  authorise: AuthorisePublisher,
  request: IncomingMessage,
  set: SetId,
): Promise<string> {
  const authorisation = await authorise(bearerTokenOf(request.headers.authorization), set);
  switch (authorisation.kind) {
    case "allowed":
      return authorisation.publisher;
    case "not-entitled":
      throw new RequestError(
        403,
        `${authorisation.holder} may not publish to the set ${set}. Send the token of a publisher of that set, or have the set added to this one.`,
      );
    case "no-token":
    case "unknown-token":
    case "undecided":
      throw tokenProblem(authorisation, words);
  }
}

import type { IncomingMessage } from "node:http";
import type { SetId } from "../channels/channel.ts";
import type { AuthorisePublisher } from "../publish/authorise.ts";
import { RequestError } from "./problem.ts";

/** Who sends this, if that is a publisher of the set; throws the answer where it is not. */
export function requirePublisher(
  authorise: AuthorisePublisher,
  request: IncomingMessage,
  set: SetId,
): string {
  const authorisation = authorise(request.headers.authorization, set);
  switch (authorisation.kind) {
    case "allowed":
      return authorisation.publisher;
    case "no-token":
      throw new RequestError(401, "Publishing needs the header Authorization: Bearer TOKEN.", {
        headers: { "WWW-Authenticate": 'Bearer realm="resourcesync-hub"' },
      });
    case "unknown-token":
      throw new RequestError(401, "No publisher of this hub has this token.", {
        headers: { "WWW-Authenticate": 'Bearer realm="resourcesync-hub", error="invalid_token"' },
      });
    case "other-sets":
      throw new RequestError(
        403,
        `The publisher ${authorisation.publisher} may not publish to the set ${set}: the configuration lists it under other sets.`,
      );
  }
}

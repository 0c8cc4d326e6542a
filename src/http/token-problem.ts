import type { Identification } from "../security/access.ts";
import { RequestError } from "./problem.ts";

const challenge = 'Bearer realm="resourcesync-hub"';

/** The answer to a request whose token does not say who sends it (RFC 6750 §3). */
export function tokenProblem(
  { kind }: Exclude<Identification, { kind: "known" }>,
  words: { readonly missing: string; readonly unknown: string },
): RequestError {
  switch (kind) {
    case "no-token":
      return new RequestError(401, words.missing, { headers: { "WWW-Authenticate": challenge } });
    case "unknown-token":
      return new RequestError(401, words.unknown, {
        headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
      });
    case "undecided":
      return new RequestError(
        503,
        "The hub cannot reach the keys by which it would know this token. Send the same request again later.",
        { headers: { "Retry-After": "30" } },
      );
  }
}

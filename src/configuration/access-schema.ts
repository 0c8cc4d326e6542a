import { z } from "zod";
import { tokenSha256 } from "../security/access-token.ts";
import { refuseRepeats } from "./repeats.ts";
import { setId } from "./set-schema.ts";
import { matching, text } from "./values.ts";

const name = text(
  "a name: letters, digits, spaces, `.`, `_` and `-`, at most 64",
  matching(/^[\w.-][\w. -]{0,63}$/),
);

/** What can stand behind `Bearer` (RFC 6750 §2.1), and is too long to be guessed. */
export const tokenShape = /^(?=.{16,512}$)[\w.~+/-]+=*$/;

const token = text(
  "a token of 16 to 512 letters, digits and -._~+/ (`resourcesync-hub token new` makes one)",
  matching(tokenShape),
);

const hash = text("a SHA-256 in 64 hexadecimal digits (`resourcesync-hub token new` prints one)", (found) =>
  /^[\dA-Fa-f]{64}$/.test(found) ? found.toLowerCase() : undefined,
);

const secret = { token: token.exactOptional(), tokenSha256: hash.exactOptional() };

/** Keeps the hash only, whichever of the two was given. */
function hashOf(given: { token?: string; tokenSha256?: string }, context: z.RefinementCtx): string {
  if (given.token !== undefined && given.tokenSha256 === undefined) return tokenSha256(given.token);
  if (given.tokenSha256 !== undefined && given.token === undefined) return given.tokenSha256;
  const found = given.token === undefined ? "neither" : "both";
  context.addIssue({
    code: "custom",
    message: `${found} of tokenSha256 and token stand here; expected one of them`,
  });
  return z.NEVER;
}

/** Sets are required: a forgotten line does not open every set. */
const entitledSets = z.union([z.literal("all"), z.array(setId)], { error: "`all` or a list of ids of sets" });

const publisher = z.strictObject({ name, ...secret, sets: entitledSets }).transform((given, context) => ({
  name: given.name,
  tokenSha256: hashOf(given, context),
  sets: given.sets,
}));

export const publishers = z.array(publisher).superRefine((all, context) => {
  refuseRepeats(
    "publishers",
    all.map((each, index) => ({ is: each.name, path: [index, "name"] })),
    context,
  );
});

export const admin = z
  .strictObject(secret)
  .transform((given, context) => ({ tokenSha256: hashOf(given, context) }));

import { z } from "zod";
import { tokenSha256 } from "../security/access-token.ts";
import { adminListen } from "./listening-schema.ts";
import { refuseRepeats } from "./repeats.ts";
import { setId } from "./set-schema.ts";
import { matching, text, value } from "./values.ts";

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

/** Two while a token is being replaced; each one more is one more that can leak. */
const mostHashes = 10;

const readHash = (found: unknown): string | undefined =>
  typeof found === "string" && /^[\dA-Fa-f]{64}$/.test(found) ? found.toLowerCase() : undefined;

function readHashes(found: unknown): string | string[] | undefined {
  if (!Array.isArray(found)) return readHash(found);
  const hashes = found.flatMap((each) => readHash(each) ?? []);
  const areAll = hashes.length === found.length && hashes.length > 0 && hashes.length <= mostHashes;
  return areAll ? hashes : undefined;
}

const hashes = value(
  `a SHA-256 in 64 hexadecimal digits (\`resourcesync-hub token new\` prints one), or a list of up to ${mostHashes}`,
  readHashes,
);

const secret = { token: token.exactOptional(), tokenSha256: hashes.exactOptional() };

interface GivenSecret {
  token?: string;
  tokenSha256?: string | string[];
}

/** Keeps the hash only, whichever of the two was given. */
function hashOf(given: GivenSecret, context: z.RefinementCtx): string | string[] {
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

const entitled = z.strictObject({ name, ...secret, sets: entitledSets }).transform((given, context) => ({
  name: given.name,
  tokenSha256: hashOf(given, context),
  sets: given.sets,
}));

const listOf = (key: string) =>
  z.array(entitled).superRefine((all, context) => {
    refuseRepeats(
      key,
      all.map((each, index) => ({ is: each.name, path: [index, "name"] })),
      context,
    );
  });

export const publishers = listOf("publishers");

/** Who may read private sets. */
export const subscribers = listOf("subscribers");

/** Only where its own listener is named may the token be left to `tokens.json`. */
export const admin = z
  .strictObject({ ...secret, listen: adminListen.exactOptional() })
  .transform((given, context) => {
    const { listen } = given;
    const isOpen = given.token === undefined && given.tokenSha256 === undefined && listen !== undefined;
    return {
      ...(isOpen ? {} : { tokenSha256: hashOf(given, context) }),
      ...(listen === undefined ? {} : { listen }),
    };
  });

import { z } from "zod";
import { isLoopbackHost } from "./loopback.ts";
import { matching, oneOf, text } from "./values.ts";

const named = (what: string) => text(`${what}, at most 500 characters`, matching(/^\S.{0,499}$/));

/** Over plain HTTP anybody on the way could put keys of their own there. */
const keys = text("the https:// URL of a JWK Set, or the name of a file with one", (found) => {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(found)) return /\S/.test(found) ? found : undefined;
  if (!URL.canParse(found)) return undefined;
  const { protocol, hostname } = new URL(found);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
  return isSafe ? found : undefined;
});

/** Signed tokens of an identity provider. What is not named here is not believed (RFC 8725 §3). */
export const jwt = z.strictObject({
  issuer: named("the issuer, exactly as `iss` has it"),
  audience: named("the audience that tokens for this hub carry in `aud`"),
  keys,
  algorithms: z
    .array(oneOf(["RS256", "ES256", "EdDSA"]))
    .min(1)
    .prefault(["RS256", "ES256", "EdDSA"]),
  claim: named("the name of a claim").default("resourcesync"),
});

import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { newToken } from "../security/access-token.ts";
import { tokenShape } from "./access-schema.ts";
import type { Fault } from "./given.ts";

/** Tokens that the hub made for itself; `undefined` is what the configuration names. */
export interface KeptTokens {
  readonly file: string;
  readonly publisher: string | undefined;
  readonly admin: string | undefined;
  /** Whether this start made them. */
  readonly made: boolean;
  /** Whether other users of the machine can read the file. */
  readonly exposed: boolean;
}

/** What the configuration leaves open. */
export interface NeededTokens {
  readonly publisher: boolean;
  readonly admin: boolean;
}

type TokensFile =
  | { readonly kind: "kept"; readonly tokens: KeptTokens }
  | { readonly kind: "absent" }
  | { readonly kind: "faulty"; readonly fault: Fault };

const token = z.string().regex(tokenShape).optional();
const shape = z.strictObject({ publisher: token, admin: token });

const makesNew = "mend the file, or remove it and the next start makes new tokens";

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** Reads `tokens.json` in the data directory. */
export async function readTokens(directory: string, needed: NeededTokens): Promise<TokensFile> {
  const file = join(directory, "tokens.json");
  try {
    const tokens = tokensIn(await readFile(file, "utf8"), needed);
    if (typeof tokens === "string") return faulty(file, tokens);
    const exposed = process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0;
    return { kind: "kept", tokens: { ...tokens, file, made: false, exposed } };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { kind: "absent" };
    return faulty(file, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function faulty(source: string, message: string): { kind: "faulty"; fault: Fault } {
  return { kind: "faulty", fault: { place: { source }, message } };
}

/** What is wrong with the content, in a sentence without any of it, or the tokens in it that are needed. */
function tokensIn(content: string, needed: NeededTokens): string | Pick<KeptTokens, "publisher" | "admin"> {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return `not JSON; ${makesNew}`;
  }
  const { success, data } = shape.safeParse(json);
  if (!success)
    return `expected { "publisher": "…", "admin": "…" }, each a token of at least 16 characters; ${makesNew}`;
  const missing = (["publisher", "admin"] as const).filter(
    (kind) => needed[kind] && data[kind] === undefined,
  );
  if (missing.length > 0)
    return `holds no ${missing.join(" and no ")} token, and the configuration names none; add what \`resourcesync-hub token new\` prints, or remove the file and the next start makes new tokens`;
  return {
    publisher: needed.publisher ? data.publisher : undefined,
    admin: needed.admin ? data.admin : undefined,
  };
}

/** Reads the tokens, or makes them: of several processes that start at once, one makes them and all return the same. */
export async function keepTokens(
  directory: string,
  needed: NeededTokens,
): Promise<Exclude<TokensFile, { kind: "absent" }>> {
  const found = await readTokens(directory, needed);
  if (found.kind !== "absent") return found;
  try {
    const made = await makeTokens(directory, needed);
    const kept = await readTokens(directory, needed);
    if (kept.kind === "kept") return { kind: "kept", tokens: { ...kept.tokens, made } };
    if (kept.kind === "faulty") return kept;
    throw new Error("tokens.json was removed while it was made");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return faulty(
      directory,
      `the tokens cannot be kept here: ${reason}; name a directory that the hub may write to`,
    );
  }
}

/** Whether it was this call that made them. */
async function makeTokens(directory: string, needed: NeededTokens): Promise<boolean> {
  await mkdir(directory, { recursive: true });
  const tokens = {
    ...(needed.publisher ? { publisher: newToken("publisher") } : {}),
    ...(needed.admin ? { admin: newToken("admin") } : {}),
  };
  const draft = join(directory, `.tokens-${randomUUID()}`);
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(tokens, undefined, 2)}\n`);
    await handle.sync();
    // A link appears at once with the whole content, and only where there is none: a reader never sees half a file.
    await link(draft, join(directory, "tokens.json"));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
}

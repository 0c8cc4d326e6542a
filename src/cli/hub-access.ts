import { type Command, Option } from "commander";
import { OperationDenied } from "../client/ask-operators-api.ts";
import { hubOperator, type HubOperator } from "../client/hub-operator.ts";
import { HubUnreachable } from "../client/until-decided.ts";
import { readTokens } from "../configuration/kept-tokens.ts";
import { isLoopbackHost } from "../configuration/loopback.ts";
import { printable } from "./describe-notification.ts";

export interface HubOptions {
  readonly hub: string;
  readonly token?: string;
}

/** What the command was given cannot be asked for. */
export class BadQuestion extends Error {
  override name = "BadQuestion";
}

/** The flags of every command for operators. */
export function withHubFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--hub <url>", "base URL of the hub").env("HUB_URL").default("http://127.0.0.1:8080"),
    )
    .addOption(
      new Option(
        "--token <token>",
        "admin token; otherwise, for a hub on this machine, that of ./data/tokens.json",
      ).env("HUB_ADMIN_TOKEN"),
    );
}

/** What every such command says at the end of its help. */
export const exitCodes =
  "Ends with 0, with 1 where the hub refuses, with 2 where it cannot be asked. An ID may be shortened to its first four\ncharacters or more; one that begins with - stands after --.";

/** Runs what an operator asked for, and says what came in its way. */
export async function asOperator(
  options: HubOptions,
  work: (operator: HubOperator) => Promise<void>,
): Promise<void> {
  try {
    await work(hubOperator({ url: urlOf(options.hub), token: await tokenOf(options) }));
  } catch (error) {
    if (error instanceof OperationDenied) {
      const { status, title } = error.problem;
      console.error(
        printable(`The hub refused it (${status}${title === "" ? "" : `, ${title}`}). ${error.message}`),
      );
      process.exitCode = 1;
    } else if (error instanceof BadQuestion || error instanceof HubUnreachable) {
      console.error(printable(error.message));
      process.exitCode = 2;
    } else {
      throw error;
    }
  }
}

function urlOf(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new BadQuestion(`--hub is ${JSON.stringify(text)}; expected a URL such as https://hub.example.org.`);
}

async function tokenOf({ hub, token }: HubOptions): Promise<string> {
  if (token !== undefined) return token;
  const needed = "The hub's admin token is needed: give --token, or set HUB_ADMIN_TOKEN.";
  if (!isLoopbackHost(new URL(hub).hostname)) throw new BadQuestion(needed);
  const read = await readTokens("data", { publisher: false, admin: true });
  if (read.kind === "kept" && read.tokens.admin !== undefined) return read.tokens.admin;
  const why = read.kind === "faulty" ? `${read.fault.place.source}: ${read.fault.message}` : "there is none";
  throw new BadQuestion(`${needed} It was looked for in ./data/tokens.json: ${why}.`);
}

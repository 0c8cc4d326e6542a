import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Command, Option } from "commander";
import pc from "picocolors";
import { buildNotification, CannotBuildNotification, type Change } from "../client/build-notification.ts";
import { latestUntil } from "../client/latest-until.ts";
import type { ReportedFault } from "../client/problem.ts";
import { NotAChannel, publishNotification, type PublishOutcome } from "../client/publish-notification.ts";
import { HubUnreachable } from "../client/until-decided.ts";
import { printable } from "./describe-notification.ts";

interface Options {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  readonly from?: string;
  readonly token?: string;
  readonly key?: string;
}

/** What the command was given cannot be sent. */
class BadInput extends Error {
  override name = "BadInput";
}

const collect = (uri: string, uris: readonly string[]): readonly string[] => [...uris, uri];

/** `publish`: ends with 0 when the notification is in the log, 1 when the hub refused it, 2 when it could not be sent. */
export function publishCommand(): Command {
  return new Command("publish")
    .description("sends a notification to a channel")
    .argument("<channel-url>", "URL of the channel")
    .argument("[file]", "the notification, a ResourceSync document; - reads standard input")
    .option("--created <uri>", "a resource that is new (repeatable)", collect, [])
    .option("--changed <uri>", "a resource that has changed (repeatable)", collect, [])
    .option("--deleted <uri>", "a resource that is gone (repeatable)", collect, [])
    .option("--from <datetime>", "beginning of the interval; otherwise where the latest notification's ended")
    .option("--key <key>", "Idempotency-Key: sending the same key again never publishes twice")
    .addOption(new Option("--token <token>", "token of a publisher").env("HUB_TOKEN"))
    .addHelpText(
      "after",
      `
Give either a file or the changes. Without a file, a change notification is built of them that reaches from the end of the
channel's latest notification until now.

Ends with 0 when the notification is safely in the hub's log, with 1 when the hub refused it (every fault is printed),
with 2 when it could not be sent.

Examples:
  export HUB_TOKEN=...
  resourcesync-hub publish http://127.0.0.1:8080/sets/demo/change-notification --changed http://example.com/res1
  resourcesync-hub publish https://hub.example.org/sets/catalogue/change-notification notification.xml
  make-notification | resourcesync-hub publish https://hub.example.org/sets/catalogue/change-notification -`,
    )
    .action(publish);
}

async function publish(url: string, file: string | undefined, options: Options): Promise<void> {
  try {
    if (options.token === undefined) {
      throw new BadInput("A publisher's token is needed: give --token, or set HUB_TOKEN.");
    }
    if (!/^https?:/.test(url) || !URL.canParse(url))
      throw new BadInput(`${JSON.stringify(url)} is no http(s) URL.`);
    const payload = await payloadOf(url, file, options);
    const { token, key } = options;
    const outcome = await publishNotification(url, payload, {
      token,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
    tell(outcome);
  } catch (error) {
    const expected = [BadInput, CannotBuildNotification, HubUnreachable, NotAChannel];
    if (!(error instanceof Error) || !expected.some((kind) => error instanceof kind)) throw error;
    console.error(printable(error.message));
    process.exitCode = 2;
  }
}

async function payloadOf(url: string, file: string | undefined, options: Options): Promise<string | Buffer> {
  const changes: Change[] = (
    [
      ["created", options.created],
      ["updated", options.changed],
      ["deleted", options.deleted],
    ] as const
  ).flatMap(([change, uris]) => uris.map((uri) => ({ uri, change })));
  if ((file === undefined) === (changes.length === 0)) {
    throw new BadInput("Give either a file or changes (--created, --changed, --deleted), and not both.");
  }
  if (file === undefined) {
    const until = new Date().toISOString();
    const from = options.from ?? (await latestUntil(url, options.token)) ?? until;
    // A latest notification that reaches into the future leaves nothing to adjoin.
    return buildNotification(changes, {
      from: options.from === undefined && from > until ? until : from,
      until,
    });
  }
  try {
    return file === "-" ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new BadInput(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function tell(outcome: PublishOutcome): void {
  if (outcome.kind === "accepted") {
    const { position, changes, warnings } = outcome;
    console.log(
      `Published at position ${pc.bold(printable(position))}: ${changes} ${changes === 1 ? "change" : "changes"}.`,
    );
    for (const warning of warnings) console.error(describeFault(warning));
    return;
  }
  const { status, title, detail, faults } = outcome.problem;
  console.error(printable(`The hub refused it (${status}${title === "" ? "" : `, ${title}`}). ${detail}`));
  for (const fault of faults) console.error(describeFault(fault));
  process.exitCode = 1;
}

function describeFault({ rule, severity, message, line, column, path }: ReportedFault): string {
  const where = `line ${line}, column ${column}${path === "" ? "" : ` (${path})`}`;
  const name = severity === "error" ? pc.red("error") : pc.yellow("warning");
  return `  ${name} ${printable(`${rule}, ${where}: ${message}`)}`;
}

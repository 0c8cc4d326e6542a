import { Command, Option } from "commander";
import pc from "picocolors";
import { ListenRefused } from "../client/live-connection.ts";
import { listenToChannel, type ListenState } from "../client/listen-to-channel.ts";
import { BadAfter, parseAfter } from "../live/after.ts";
import type { LiveMessage } from "../protocol/live-messages.ts";
import { describeNotification, printable } from "./describe-notification.ts";

interface Options {
  readonly after?: string;
  readonly json?: true;
  readonly token?: string;
}

/** `listen`: ends with 0 when it is stopped, with 1 where the hub refuses, with 2 where it was called wrongly. */
export function listenCommand(): Command {
  return new Command("listen")
    .description("prints the notifications of a channel as they come; reconnects and resumes by itself")
    .argument("<channel-url>", "URL of the channel, http(s) or ws(s)")
    .option(
      "--after <place>",
      "begin after a position or a W3C datetime, or at the `earliest` that the log holds",
    )
    .option("--json", "print each message as a line of JSON")
    .addOption(
      new Option("--token <token>", "token of a subscriber, for the channel of a private set").env(
        "HUB_SUBSCRIBER_TOKEN",
      ),
    )
    .addHelpText(
      "after",
      `
Notifications go to standard output, everything about the connection to standard error. Ctrl-C ends it; the position of
the last notification is where --after takes it up again.

Examples:
  resourcesync-hub listen http://127.0.0.1:8080/sets/demo/change-notification
  resourcesync-hub listen --after earliest https://hub.example.org/sets/catalogue/change-notification
  resourcesync-hub listen --after 2026-01-03T00:00:00Z wss://hub.example.org/sets/catalogue/change-notification
  resourcesync-hub listen --json https://hub.example.org/sets/catalogue/change-notification | jq -r .payload`,
    )
    .action(listen);
}

async function listen(url: string, { after, json, token }: Options): Promise<void> {
  if (!URL.canParse(url) || !/^(https?|wss?):/.test(url)) {
    console.error(
      `${JSON.stringify(url)} is no URL of a channel, such as http://127.0.0.1:8080/sets/demo/change-notification.`,
    );
    process.exitCode = 2;
    return;
  }
  // Looked at here, too: a hub that cannot be reached could not refuse it.
  if (after !== undefined && parseAfter(after) === undefined) {
    console.error(printable(new BadAfter("--after", after).message));
    process.exitCode = 2;
    return;
  }
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    for await (const message of listenToChannel(url, {
      after,
      token,
      signal: stop.signal,
      onState: tellState,
    })) {
      if (json === true) console.log(JSON.stringify(message));
      else print(message);
    }
  } catch (error) {
    if (!(error instanceof ListenRefused)) throw error;
    console.error(printable(error.message));
    process.exitCode = 1;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

function print(message: LiveMessage): void {
  switch (message.type) {
    case "notification":
      console.log(describeNotification(message));
      break;
    case "caught-up":
      console.error(pc.dim(`caught up at ${printable(message.position)}; what follows is live`));
      break;
    case "gap": {
      const where =
        message.changeList === undefined
          ? ""
          : ` What is missing may be in ${printable(message.changeList)}.`;
      console.error(
        pc.yellow(
          `The hub no longer holds all that was asked for; it goes on after ${printable(message.oldest)}.${where}`,
        ),
      );
    }
  }
}

function tellState(state: ListenState): void {
  switch (state.kind) {
    case "connecting":
      break;
    case "connected":
      console.error(pc.dim("connected"));
      break;
    case "waiting":
      console.error(
        pc.dim(
          `not connected (${printable(state.reason)}); next attempt in ${(state.milliseconds / 1000).toFixed(1)} s`,
        ),
      );
  }
}

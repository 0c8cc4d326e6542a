import { readFileSync } from "node:fs";
import { Command } from "commander";
import { configCommand } from "./config.ts";
import { deadLettersCommand } from "./deadletters.ts";
import { healthcheckCommand } from "./healthcheck.ts";
import { listenCommand } from "./listen.ts";
import { publishCommand } from "./publish.ts";
import { replayCommand } from "./replay.ts";
import { serveCommand } from "./serve.ts";
import { subscriptionsCommand } from "./subscriptions.ts";
import { tokenCommand } from "./token.ts";
import { validateCommand } from "./validate.ts";

/** The command line of the hub. It throws a `CommanderError` where commander would end the process. */
export function createProgram(): Command {
  const program = new Command("resourcesync-hub")
    .description("A push notification hub for ResourceSync and WebSub.")
    .version(version(), "-V, --version", "prints the version")
    .helpCommand("help [command]", "prints the help of a command")
    .showHelpAfterError("(add --help for help)")
    .configureOutput({ outputError: (message, write) => write(message + hintFor(message)) })
    .addHelpText(
      "after",
      `
Examples:
  resourcesync-hub serve                                 a hub on this machine, to try it out
  resourcesync-hub serve --config hub.yaml               a hub as hub.yaml describes it
  resourcesync-hub listen http://127.0.0.1:8080/sets/demo/change-notification
  resourcesync-hub validate notification.xml
  resourcesync-hub subscriptions --behind                callbacks that are behind, for operators

resourcesync-hub help <command> says more about each.`,
    );
  const commands = [
    serveCommand(),
    validateCommand(),
    publishCommand(),
    listenCommand(),
    subscriptionsCommand(),
    deadLettersCommand(),
    replayCommand(),
    configCommand(),
    tokenCommand(),
    healthcheckCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  settle(program);
  return program;
}

/** What is the same for every command; those that were made apart inherit nothing by themselves. */
function settle(command: Command): void {
  command.exitOverride().helpOption("-h, --help", "prints this help");
  for (const below of command.commands) {
    below.copyInheritedSettings(command);
    settle(below);
  }
}

/** One ID in 64 begins with a hyphen, and whoever copies it should not have to look for the reason. */
function hintFor(message: string): string {
  return /unknown option '-[\w.-]{4,}'/.test(message)
    ? "Where that is an ID, put -- before it: what comes after -- is never read as an option.\n"
    : "";
}

function version(): string {
  const file: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (typeof file === "object" && file !== null && "version" in file) return String(file.version);
  throw new Error("package.json names no version");
}

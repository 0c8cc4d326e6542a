import { Command } from "commander";
import { ConfigurationFaults, loadConfig } from "../config.ts";
import type { Flags } from "../configuration/overrides.ts";
import { writeConfig } from "../configuration/written-config.ts";
import { withConfigFlags } from "./config-flags.ts";

/** `config check|print`: neither of them leaves a trace in the data directory. */
export function configCommand(): Command {
  return new Command("config")
    .description("checks or prints the configuration")
    .addCommand(
      withConfigFlags(new Command("check"))
        .description("says everything that is wrong with the configuration")
        .addHelpText(
          "after",
          `
Ends with 0 where the configuration can be used, with 1 where it cannot.

Examples:
  resourcesync-hub config check --config hub.yaml
  HUB_PORT=9000 resourcesync-hub config check`,
        )
        .action(check),
    )
    .addCommand(
      withConfigFlags(new Command("print"))
        .description("prints the configuration as it takes effect, with every default")
        .addHelpText(
          "after",
          `
What is printed can be used as hub.yaml. Tokens are shown as their SHA-256 only.

Examples:
  resourcesync-hub config print
  resourcesync-hub config print --config hub.yaml --redis redis://127.0.0.1:6379`,
        )
        .action(print),
    );
}

async function check(flags: Flags): Promise<void> {
  try {
    const { config, warnings, origin } = await loadConfig({ flags, tokens: "read" });
    for (const warning of warnings) console.log(`Warning: ${warning}`);
    const sets = config.sets.map(({ id }) => id).join(", ");
    console.log(`The configuration is good (${origin}): sets ${sets}; storage ${config.storage.engine}.`);
  } catch (error) {
    if (!(error instanceof ConfigurationFaults)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function print(flags: Flags): Promise<void> {
  const { config, warnings, tokensToMake } = await loadConfig({ flags, tokens: "read" });
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  process.stdout.write(writeConfig(config, tokensToMake));
}

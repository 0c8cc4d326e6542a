import type { Command } from "commander";

/** The flags of every command that reads the configuration of a hub. */
export function withConfigFlags(command: Command): Command {
  return command
    .option("--config <file>", "configuration file, such as hub.yaml (HUB_CONFIG)")
    .option("--host <host>", "address to listen on (HUB_HOST; default 127.0.0.1)")
    .option("--port <port>", "port to listen on, 0 for any that is free (HUB_PORT; default 8080)")
    .option("--base-url <url>", "where others reach the hub; its URLs begin with it (HUB_BASE_URL)")
    .option("--data <dir>", "directory for data and tokens (HUB_DATA; default ./data)")
    .option("--redis <url>", "keep the data in Redis instead, for several hub processes (HUB_REDIS)");
}

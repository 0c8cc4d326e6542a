import { Command } from "commander";
import { loadConfig } from "../config.ts";
import { createLogger } from "../observability/logger.ts";
import { banner } from "./banner.ts";
import { withConfigFlags } from "./config-flags.ts";
import { reloadOnHangUp } from "./reload-on-hang-up.ts";

/** `serve`: runs the hub until a signal ends it. */
export function serveCommand(): Command {
  const command = new Command("serve").description("runs the hub");
  return withConfigFlags(command)
    .addHelpText(
      "after",
      `
Without a configuration file the hub keeps its data in ./data, listens on 127.0.0.1:8080 and has one set of
resources, demo. SIGTERM and SIGINT let it finish what it is doing; a second signal ends it at once. Where it does not run
in a terminal, SIGHUP has it read tokens, certificates and keys anew.

Examples:
  resourcesync-hub serve
  resourcesync-hub serve --config hub.yaml
  resourcesync-hub serve --redis redis://127.0.0.1:6379 --port 8081`,
    )
    .action(async (flags) => {
      const loaded = await loadConfig({ flags });
      const logger = createLogger(loaded.config.logging);
      for (const warning of loaded.warnings) logger.warn(warning);

      // Here and not above: the other commands need none of what a hub is made of.
      const { startHub } = await import("../hub.ts");
      const hub = await startHub(loaded.config, logger);
      process.stdout.write(banner(loaded, hub));
      logger.info({ baseUrl: hub.baseUrl, storage: hub.durability }, "the hub takes requests");

      const stopReloading = reloadOnHangUp({ flags, hub, logger, started: loaded.config });

      const { within } = loaded.config.shutdown;
      const signal = await nextSignal();
      logger.info({ signal, within }, "stopping; a second signal ends the hub at once");
      // Ending at once is safe at any moment: it is what kill -9 does. What was acknowledged is on disk.
      const endAtOnce = (): void => process.exit(1);
      void nextSignal().then(endAtOnce);
      setTimeout(endAtOnce, within + grace).unref();
      stopReloading();
      await hub.close();
      logger.info("stopped");
    });
}

/** What may follow the deadline of an orderly stop: closing the storage. Milliseconds. */
const grace = 2_000;

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
}

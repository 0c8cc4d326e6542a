import { loadConfig } from "../config.ts";
import type { Flags } from "../configuration/overrides.ts";
import type { Config } from "../configuration/schema.ts";
import type { Hub } from "../hub.ts";
import type { Logger } from "../observability/logger.ts";

interface Parts {
  readonly flags: Flags;
  readonly hub: Pick<Hub, "reload">;
  readonly logger: Logger;
  /** What the hub was started with. */
  readonly started: Config;
}

/**
 * On SIGHUP, reads the configuration anew and has the hub take over what it can without a restart. In a terminal the signal
 * says that the terminal is gone, and ends the hub as it does every program. The answer has it passed over.
 */
export function reloadOnHangUp({ flags, hub, logger, started }: Parts): () => void {
  if (process.stdout.isTTY) return () => {};
  let last = Promise.resolve();
  let isStopping = false;
  // It stays while the hub stops: without a listener the signal would end it at once.
  process.on("SIGHUP", () => {
    if (!isStopping) last = last.then(reload);
  });
  return () => {
    isStopping = true;
  };

  async function reload(): Promise<void> {
    try {
      const { config, warnings } = await loadConfig({ flags });
      for (const warning of warnings) logger.warn(warning);
      const { areKeysNew } = await hub.reload(config);
      if (areKeysNew) logger.info("tokens, certificates and keys were read anew");
      else
        logger.warn("tokens and certificates were read anew; the keys of the token issuer stay as they were");
      const others = changedSections(started, config);
      if (others.length > 0) logger.warn({ sections: others }, "other changes need a restart of the hub");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ reason }, "the configuration cannot be used; the hub goes on with what it had");
    }
  }
}

const sections = (config: Config): readonly [string, string][] => {
  const { publishers: _p, subscribers: _s, admin, tls, ...rest } = config;
  // Other files, and another `tls.min`, hold for new connections; a server that spoke no TLS does not begin to.
  const speaksTls = tls !== undefined;
  return Object.entries({ ...rest, "admin.listen": admin?.listen, tls: speaksTls }).map(([key, value]) => [
    key,
    JSON.stringify(value) ?? "",
  ]);
};

function changedSections(before: Config, after: Config): readonly string[] {
  const was = new Map(sections(before));
  const is = new Map(sections(after));
  return [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key));
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationFaults, loadConfig, type LoadedConfig } from "../../src/config.ts";
import type { Flags } from "../../src/configuration/overrides.ts";

interface Workplace extends AsyncDisposable {
  readonly data: string;
  readonly file: string;
  /** Writes hub.yaml and reads it as `serve` does, but for the environment, which holds `env` only. */
  load(
    yaml: string,
    more?: { readonly flags?: Flags; readonly env?: NodeJS.ProcessEnv },
  ): Promise<LoadedConfig>;
  /** The lines of the message about it, without the directory of the file. */
  faults(yaml: string, more?: Parameters<Workplace["load"]>[1]): Promise<readonly string[]>;
}

/** A directory for hub.yaml and data that is gone after the test. */
export async function startWorkplace(): Promise<Workplace> {
  const directory = await mkdtemp(join(tmpdir(), "hub-config-"));
  const file = join(directory, "hub.yaml");
  const data = join(directory, "data");
  const load: Workplace["load"] = async (yaml, { flags, env } = {}) => {
    await writeFile(file, yaml);
    return loadConfig({ flags: { config: file, data, ...flags }, env: env ?? {} });
  };
  return {
    data,
    file,
    load,
    faults: async (...given) => {
      try {
        await load(...given);
      } catch (error) {
        if (!(error instanceof ConfigurationFaults)) throw error;
        return error.message.replaceAll(`${directory}/`, "").split("\n");
      }
      return [];
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

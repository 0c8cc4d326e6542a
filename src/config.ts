import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { checkSettings } from "./configuration/check.ts";
import { describeFaults, type Fault, type Given } from "./configuration/given.ts";
import { readHubFile } from "./configuration/hub-file.ts";
import { keepTokens, type KeptTokens, type NeededTokens, readTokens } from "./configuration/kept-tokens.ts";
import { type Flags, fromEnvironment, override } from "./configuration/overrides.ts";
import type { Config, Settings } from "./configuration/schema.ts";
import { listenUrl } from "./configuration/listen-url.ts";
import { isLoopbackHost } from "./configuration/loopback.ts";
import { discouraged, unknownVariables } from "./configuration/warnings.ts";
import { tokenSha256 } from "./security/access-token.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** What is allowed and yet hardly wanted, each in a sentence. */
  readonly warnings: readonly string[];
  /** `undefined` where the configuration names its tokens, or where they are still to be made. */
  readonly tokens: KeptTokens | undefined;
  /** What the first start will make, while only `read` was asked for. */
  readonly tokensToMake: NeededTokens;
  /** The file that was read, or `defaults`. */
  readonly origin: string;
}

interface Sources {
  readonly flags: Flags;
  readonly env?: NodeJS.ProcessEnv;
  /** `make` keeps new tokens in the data directory where none are configured; `read` leaves no trace. */
  readonly tokens?: "make" | "read";
}

/** Its message names every fault with its place; trying again cannot help. */
export class ConfigurationFaults extends Error {
  override readonly name = "ConfigurationFaults";
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(describeFaults(faults));
    this.faults = faults;
  }
}

/** Flags win over the environment, the environment over the file. Throws `ConfigurationFaults`. */
export async function loadConfig({
  flags,
  env = process.env,
  tokens = "make",
}: Sources): Promise<LoadedConfig> {
  const file = flags.config ?? fromEnvironment(env, "HUB_CONFIG");
  const given = override(await givenBy(file), env, flags);
  const checked = checkSettings(given);
  if (checked.kind === "faulty") throw new ConfigurationFaults(checked.faults);
  const { settings } = checked;
  const data = resolve(settings.storage.data);
  const needed = {
    publisher: settings.publishers === undefined,
    admin: settings.admin?.tokenSha256 === undefined,
  };
  const kept = await tokensFor(needed, data, tokens);
  const config = {
    ...settings,
    baseUrl: settings.baseUrl ?? ownUrl(settings.listen, settings.tls === undefined ? "http" : "https"),
    storage: { ...settings.storage, data },
    publishers: settings.publishers ?? allSets(kept?.publisher),
    admin:
      kept?.admin === undefined
        ? settings.admin
        : { ...settings.admin, tokenSha256: tokenSha256(kept.admin) },
    outbound: { allow: settings.outbound.allow ?? reachableByDefault(file, settings.listen.host) },
  };
  const warnings = [
    ...discouraged(given, settings, kept),
    ...unknownVariables(env),
    ...(file === undefined ? await unreadFile() : []),
  ];
  const tokensToMake = kept === undefined ? needed : { publisher: false, admin: false };
  return { config, warnings, tokens: kept, tokensToMake, origin: file ?? "defaults" };
}

async function givenBy(file: string | undefined): Promise<Given> {
  if (file === undefined) return { values: {}, placeOf: () => ({ source: "defaults" }) };
  const read = await readHubFile(file);
  if (read.kind === "faulty") throw new ConfigurationFaults(read.faults);
  return read.given;
}

async function tokensFor(
  needed: NeededTokens,
  data: string,
  mode: "make" | "read",
): Promise<KeptTokens | undefined> {
  if (!needed.publisher && !needed.admin) return undefined;
  const result = await (mode === "make" ? keepTokens : readTokens)(data, needed);
  if (result.kind === "faulty") throw new ConfigurationFaults([result.fault]);
  return result.kind === "kept" ? result.tokens : undefined;
}

function allSets(token: string | undefined): Config["publishers"] {
  return token === undefined ? [] : [{ name: "default", tokenSha256: tokenSha256(token), sets: "all" }];
}

function ownUrl({ host, port }: Settings["listen"], scheme: "http" | "https"): string {
  return listenUrl(scheme, { host: isLoopbackHost(host) ? host : "127.0.0.1", port });
}

/** A hub that was started to try it out calls back to the same machine; any other says so itself. */
function reachableByDefault(file: string | undefined, host: string): readonly string[] {
  return file === undefined && isLoopbackHost(host) ? ["127.0.0.0/8", "::1/128"] : [];
}

async function unreadFile(): Promise<readonly string[]> {
  try {
    await access("hub.yaml");
    return [
      "hub.yaml stands in this directory but is not read: start with --config hub.yaml (or HUB_CONFIG)",
    ];
  } catch {
    return [];
  }
}

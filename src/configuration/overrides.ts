import { type Given, isMapping, type Path, type Place } from "./given.ts";

/** The flags of `serve` and of every command that reads the configuration, as they were typed. */
export interface Flags {
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly data?: string | undefined;
  readonly redis?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Override {
  readonly path: Path;
  readonly variable: string;
  readonly flag?: Exclude<keyof Flags, "config">;
  /** From text to what would stand in the file; text as it is where there is none. */
  readonly read?: (text: string) => unknown;
}

const number = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);
const list = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== "");

/** Takes the place of the hash in the file, too. */
const adminVariable = "HUB_ADMIN_TOKEN";

/** What can be set without the file: a flag wins over its variable, both over the file. */
const overrides: readonly Override[] = [
  { path: ["listen", "host"], variable: "HUB_HOST", flag: "host" },
  { path: ["listen", "port"], variable: "HUB_PORT", flag: "port", read: number },
  { path: ["baseUrl"], variable: "HUB_BASE_URL", flag: "baseUrl" },
  { path: ["storage", "data"], variable: "HUB_DATA", flag: "data" },
  { path: ["storage", "redis"], variable: "HUB_REDIS", flag: "redis" },
  { path: ["storage", "prefix"], variable: "HUB_REDIS_PREFIX" },
  { path: ["outbound", "allow"], variable: "HUB_OUTBOUND_ALLOW", read: list },
  { path: ["logging", "level"], variable: "HUB_LOG_LEVEL" },
  { path: ["logging", "format"], variable: "HUB_LOG_FORMAT" },
  { path: ["shutdown", "within"], variable: "HUB_SHUTDOWN_WITHIN" },
  { path: ["admin", "token"], variable: adminVariable },
];

/** Adds a publisher to those of the file, for every set. */
const publisherVariable = "HUB_PUBLISHER_TOKEN";

export const variables: readonly string[] = [
  "HUB_CONFIG",
  publisherVariable,
  ...overrides.map(({ variable }) => variable),
];

/** An empty variable counts as none: that is how Compose files pass on what is not set. */
export function fromEnvironment(environment: Environment, variable: string): string | undefined {
  const text = environment[variable]?.trim();
  return text === "" ? undefined : text;
}

const flagName = (flag: keyof Flags): string => (flag === "baseUrl" ? "--base-url" : `--${flag}`);

interface Laid {
  readonly path: Path;
  readonly place: Place;
  readonly value: unknown;
}

/** Lays environment and flags over what the file gives. */
export function override(file: Given, environment: Environment, flags: Flags): Given {
  const laid: Laid[] = [];
  for (const { path, variable, flag, read = (text: string): unknown => text } of overrides) {
    const typed = flag === undefined ? undefined : flags[flag];
    const set = fromEnvironment(environment, variable);
    if (flag !== undefined && typed !== undefined)
      laid.push({ path, place: { source: flagName(flag) }, value: read(typed) });
    else if (set !== undefined) laid.push({ path, place: { source: variable }, value: read(set) });
  }
  const token = fromEnvironment(environment, publisherVariable);
  if (token !== undefined) {
    const named =
      isMapping(file.values) && Array.isArray(file.values["publishers"]) ? file.values["publishers"] : [];
    laid.push({
      path: ["publishers", named.length],
      place: { source: publisherVariable },
      value: { name: "environment", token, sets: "all" },
    });
  }
  const under =
    fromEnvironment(environment, adminVariable) === undefined ? file.values : withoutAdminHash(file.values);
  return {
    values: laid.reduce((values: unknown, { path, value }) => replaced(values, path, value), under),
    placeOf: (path) => laid.find((each) => beginsWith(path, each.path))?.place ?? file.placeOf(path),
  };
}

function withoutAdminHash(values: unknown): unknown {
  if (!isMapping(values) || !isMapping(values["admin"])) return values;
  const { tokenSha256: _replaced, ...admin } = values["admin"];
  return { ...values, admin };
}

const beginsWith = (path: Path, start: Path): boolean => start.every((part, index) => path[index] === part);

/** Copies what it changes. What is no mapping or list stays: it is a fault of its own. */
function replaced(values: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (typeof part === "number") return Array.isArray(values ?? []) ? [...listOf(values), value] : values;
  if (values !== undefined && !isMapping(values)) return values;
  return { ...values, [part]: replaced(values?.[part], rest, value) };
}

const listOf = (values: unknown): readonly unknown[] => (Array.isArray(values) ? values : []);

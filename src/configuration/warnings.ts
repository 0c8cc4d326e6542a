import { isMapping, keyOf, type Given, type Path, valueAt } from "./given.ts";
import type { KeptTokens } from "./kept-tokens.ts";
import { isLoopbackHost } from "./loopback.ts";
import { nearest } from "../protocol/nearest-name.ts";
import { variables } from "./overrides.ts";
import type { Settings } from "./schema.ts";

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");

/** Read by other commands than `serve`, or by the tests. */
const elsewhere = /^HUB_(TOKEN$|SUBSCRIBER_TOKEN$|URL$|TEST_)/;

export function unknownVariables(environment: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("HUB_") && !variables.includes(name) && !elsewhere.test(name))
    .map((name) => {
      const meant = nearest(name, variables);
      return `The hub does not read the variable ${name}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
    });
}

/** What is allowed and yet hardly wanted. */
export function discouraged(
  given: Given,
  settings: Settings,
  tokens: KeptTokens | undefined,
): readonly string[] {
  const warnings = [...secretsInFile(given), ...readOnTheWay(settings)];
  const { listen, storage } = settings;
  if (settings.baseUrl === undefined && !isLoopbackHost(listen.host))
    warnings.push(
      `The hub listens on ${listen.host}, but its URLs begin with the address of this machine for itself, which others cannot use: set baseUrl (--base-url, HUB_BASE_URL)`,
    );
  if (storage.engine === "embedded" && valueAt(given.values, ["storage", "prefix"]) !== undefined)
    warnings.push("storage.prefix has no effect without storage.redis");
  if (storage.engine === "redis" && tokens !== undefined)
    warnings.push(
      `The tokens are in ${tokens.file}: hub processes that do not share this directory make others. Name publishers and admin in hub.yaml, or set HUB_PUBLISHER_TOKEN and HUB_ADMIN_TOKEN`,
    );
  if (tokens?.exposed === true)
    warnings.push(`Other users of this machine can read the tokens: run chmod 600 ${tokens.file}`);
  return warnings;
}

/** Tokens and secrets that would go in the clear. */
function readOnTheWay({ baseUrl, tls, admin }: Settings): readonly string[] {
  const warnings: string[] = [];
  const isPlain = baseUrl?.startsWith("http:") === true;
  if (isPlain && tls !== undefined)
    warnings.push("baseUrl begins with http:, and the hub speaks TLS itself (tls): let it begin with https:");
  else if (isPlain && !isLoopbackHost(hostOf(baseUrl)))
    warnings.push(
      `baseUrl is ${baseUrl}: tokens of publishers and secrets of subscribers can be read on their way. Put a reverse proxy with TLS in front, and set baseUrl to its https:// address (WebSub §5.1)`,
    );
  const apart = admin?.listen;
  if (apart !== undefined && !isLoopbackHost(apart.host) && tls === undefined)
    warnings.push(
      `The operators' API listens on ${apart.host} without TLS: the admin token can be read on its way. Set tls, or admin.listen.host to 127.0.0.1`,
    );
  return warnings;
}

function secretsInFile(given: Given): string[] {
  const paths: Path[] = ["publishers", "subscribers"].flatMap((key) => {
    const holders = valueAt(given.values, [key]);
    return (Array.isArray(holders) ? holders : []).map((_, index) => [key, index, "token"]);
  });
  return [...paths, ["admin", "token"]].flatMap((path) => {
    const { source, line } = given.placeOf(path);
    if (line === undefined || !isMapping(valueAt(given.values, path.slice(0, -1)))) return [];
    if (valueAt(given.values, path) === undefined) return [];
    return [
      `${source}:${line} ${keyOf(path)}: a secret in a file is discouraged; put its tokenSha256 there instead (\`resourcesync-hub token new\`)`,
    ];
  });
}

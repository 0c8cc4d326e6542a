import pc from "picocolors";
import { type Channels, createChannels } from "../channels/registry.ts";
import type { LoadedConfig } from "../config.ts";

interface Facts {
  /** Where this hub is reached, with the port that it got. */
  readonly baseUrl: string;
  /** Where its operators' API is. */
  readonly operatorsUrl?: string;
  /** What survives which crash, in a sentence. */
  readonly durability: string;
}

/**
 * What whoever starts a hub needs to know. Where logs go to a machine it is short; tokens are shown only by the start
 * that made them.
 */
export function banner(loaded: LoadedConfig, { baseUrl, operatorsUrl = baseUrl, durability }: Facts): string {
  const { config, tokens, origin } = loaded;
  const { format } = config.logging;
  const forPerson = format === "text" || (format === "auto" && process.stderr.isTTY);
  const { bold, dim } = pc.createColors(process.stdout.isTTY && pc.isColorSupported);
  const facts: (readonly [string, string])[] = [
    ["Hub", `${baseUrl}/`],
    ...(operatorsUrl === baseUrl ? [] : [["For operators", `${operatorsUrl}/`] as const]),
    ["Configuration", origin],
    ["Data", config.storage.engine === "redis" ? "in Redis" : config.storage.data],
    ["Durability", durability],
    ["Calls out to", ["public addresses", ...config.outbound.allow].join(", ")],
    ...(tokens === undefined ? [] : [["Tokens", tokens.file] as const]),
  ];
  if (!forPerson && tokens?.made !== true)
    return `resourcesync-hub: ${facts.map(([name, fact]) => `${name}: ${fact}`).join("; ")}\n`;

  const table = facts.map(([name, fact]) => `  ${dim(name.padEnd(14))} ${fact}`).join("\n");
  const channels = createChannels({ baseUrl, sets: config.sets });
  return `
${bold("resourcesync-hub is running")}

${table}
${newTokens(loaded, bold)}
${bold("Try it in another terminal")}

${tries(channels, publisherToken(loaded))
  .map(([what, command]) => `  ${dim(`# ${what}`)}\n  ${command}`)
  .join("\n\n")}

`;
}

function newTokens({ tokens }: LoadedConfig, bold: (text: string) => string): string {
  if (tokens?.made !== true) return "";
  const { publisher, admin } = tokens;
  const lines = [
    ...(publisher === undefined ? [] : [`  publisher      ${publisher}`]),
    ...(admin === undefined ? [] : [`  admin          ${admin}`]),
  ];
  return `\n${bold("New tokens, shown this once")}\n\n${lines.join("\n")}\n`;
}

/** What stands in a command where the token belongs. */
function publisherToken({ tokens }: LoadedConfig): string {
  if (tokens?.publisher === undefined) return "$HUB_TOKEN";
  return tokens.made ? tokens.publisher : `$(node -p 'require("${tokens.file}").publisher')`;
}

function tries(channels: Channels, token: string): (readonly [what: string, command: string])[] {
  const set = channels.sets.find(({ profile }) => profile === "auto" || profile === "1.0.1");
  const url = (set ?? channels.sets[0])?.channels[0]?.url ?? "";
  const list = (set ?? channels.sets[0])?.capabilityListUrl ?? "";
  const listening = [
    ["listen as a Destination", `npm run hub -- listen ${url}`],
    ["the same as Server-Sent Events", `curl -N -H 'Accept: text/event-stream' ${url}`],
    ["the channels as Destinations find them", `curl ${list}`],
  ] as const;
  if (set === undefined) return [...listening];
  const ofToken = token === "$HUB_TOKEN" ? " (HUB_TOKEN: the token of one of your publishers)" : "";
  return [...listening, [`publish a change as a Source${ofToken}`, publishCommand(url, list, token)]];
}

/** The shell fills in the time, so that each run publishes another notification. */
function publishCommand(url: string, capabilityListUrl: string, token: string): string {
  return `now=$(date -u +%Y-%m-%dT%H:%M:%SZ); curl -i ${url} \\
    -H "Authorization: Bearer ${token}" -H 'Content-Type: application/xml' \\
    -d "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:rs='http://www.openarchives.org/rs/terms/'>
        <rs:ln rel='up' href='${capabilityListUrl}'/>
        <rs:md capability='change-notification' from='$now' until='$now'/>
        <url><loc>http://example.com/res1</loc><rs:md change='updated' datetime='$now'/></url>
      </urlset>"`;
}

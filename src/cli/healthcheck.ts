import { isIPv6 } from "node:net";
import { Command } from "commander";
import { loadConfig } from "../config.ts";
import type { Flags } from "../configuration/overrides.ts";
import { withConfigFlags } from "./config-flags.ts";

/** Shorter than what Docker and Kubernetes allow a check by default. */
const timeoutMilliseconds = 5000;

/** `healthcheck`: for container engines and scripts. */
export function healthcheckCommand(): Command {
  return withConfigFlags(new Command("healthcheck"))
    .description("asks a running hub whether it can take notifications")
    .option("--url <url>", "base URL of the hub; otherwise the address that the configuration listens on")
    .addHelpText(
      "after",
      `
Ends with 0 where the hub is ready (its storage took a write), with 1 where it is not.

Examples:
  resourcesync-hub healthcheck
  resourcesync-hub healthcheck --url https://hub.example.org`,
    )
    .action(async (flags: Flags & { readonly url?: string }) => {
      const url = flags.url ?? (await listenUrl(flags));
      const { ready, answer } = await askReadiness(`${url.replace(/\/+$/, "")}/readyz`);
      if (ready) console.log(answer);
      else console.error(answer);
      process.exitCode = ready ? 0 : 1;
    });
}

async function listenUrl(flags: Flags): Promise<string> {
  const { host, port } = (await loadConfig({ flags, tokens: "read" })).config.listen;
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

async function askReadiness(url: string): Promise<{ ready: boolean; answer: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    const text = (await response.text()).trim().slice(0, 500);
    return { ready: response.ok, answer: `${url} answered ${response.status}: ${text}` };
  } catch (error) {
    return { ready: false, answer: `${url} did not answer: ${reasonOf(error)}` };
  }
}

/** `fetch` hides the reason ("fetch failed") in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === "" && "code" in cause ? String(cause.code) : cause.message;
}

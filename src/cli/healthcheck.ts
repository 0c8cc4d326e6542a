import { get } from "node:https";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { loadConfig } from "../config.ts";
import { listenUrl } from "../configuration/listen-url.ts";
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
      const url = flags.url ?? (await ownUrl(flags));
      const ask = flags.url === undefined && url.startsWith("https:") ? askOwn : askAny;
      const { ready, answer } = await askReadiness(`${url.replace(/\/+$/, "")}/readyz`, ask);
      if (ready) console.log(answer);
      else console.error(answer);
      process.exitCode = ready ? 0 : 1;
    });
}

async function ownUrl(flags: Flags): Promise<string> {
  const { listen, tls } = (await loadConfig({ flags, tokens: "read" })).config;
  const { host, port } = listen;
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return listenUrl(tls === undefined ? "http" : "https", { host: reachable, port });
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function askAny(url: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(url, { signal });
  return { status: response.status, text: await response.text() };
}

/** The hub on this machine by its address: its certificate is for the name that others know. */
function askOwn(url: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { signal, rejectUnauthorized: false }, (response) => {
      text(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    }).on("error", reject);
  });
}

async function askReadiness(url: string, ask: typeof askAny): Promise<{ ready: boolean; answer: string }> {
  try {
    const { status, text } = await ask(url, AbortSignal.timeout(timeoutMilliseconds));
    return { ready: status === 200, answer: `${url} answered ${status}: ${text.trim().slice(0, 500)}` };
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

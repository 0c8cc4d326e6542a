import { createHash } from "node:crypto";
import type { ResourceSet } from "../channels/registry.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "");

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
  dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
  code { font: .9em ui-monospace, monospace; }`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** Sent with the page: it loads nothing, runs nothing, has no style but its own, and cannot be framed. */
export const frontPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`;

function describeSet({ id, title, capabilityListUrl, channels }: ResourceSet): string {
  const link = (href: string) => `<a href="${escape(href)}"><code>${escape(href)}</code></a>`;
  const rows = channels.flatMap(({ kind, topic, socketUrl }) => [
    `<dt>${kind}</dt><dd>${link(topic)}</dd>`,
    `<dt>as a socket</dt><dd><code>${escape(socketUrl)}</code></dd>`,
  ]);
  return `<section><h2>${escape(title ?? id)}</h2>
<dl><dt>Capability List</dt><dd>${link(capabilityListUrl)}</dd>
${rows.join("\n")}</dl></section>`;
}

/** What a person sees who opens the hub in a browser: the sets of resources, and where to connect. */
export function writeFrontPage(hub: {
  readonly sets: readonly ResourceSet[];
  readonly hubUrl: string;
  readonly sourceDescriptionUrl: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ResourceSync hub</title>
${hub.sets.map(({ capabilityListUrl }) => `<link rel="resourcesync" href="${escape(capabilityListUrl)}">`).join("\n")}
<style>${style}</style>
</head>
<body>
<h1>ResourceSync hub</h1>
<p>This hub pushes change notifications to every Destination: over WebSocket, Server-Sent Events and WebSub callbacks.</p>
<dl><dt>Source Description</dt><dd><a href="${escape(hub.sourceDescriptionUrl)}"><code>${escape(hub.sourceDescriptionUrl)}</code></a></dd>
<dt>WebSub hub</dt><dd><code>${escape(hub.hubUrl)}</code></dd></dl>
${hub.sets.map(describeSet).join("\n")}
</body>
</html>
`;
}

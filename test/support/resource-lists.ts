import { gunzipSync } from "node:zlib";
import { publisherToken, type TestHub } from "./start-hub.ts";

export const origin = "https://maps.example.org";
const hourOf = Math.floor(Date.now() / 1000) * 1000 - 600_000;
/** Minutes after a moment ten minutes ago, so that what a hub receives now is later. */
export const time = (minutes: number): string =>
  new Date(hourOf + minutes * 60_000).toISOString().replace(".000Z", "Z");

const names =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const up = `<rs:ln rel="up" href="${origin}/capabilitylist.xml"/>`;

export interface Listed {
  readonly uri: string;
  readonly hash?: string;
}

const hashOf = ({ hash }: Listed): string => (hash === undefined ? "" : ` hash="sha-256:${hash.repeat(64)}"`);

export function resourceList(resources: readonly Listed[], at = time(0)): string {
  const entries = resources.map(
    (each) =>
      `<url><loc>${each.uri}</loc><lastmod>2026-01-02T10:00:00Z</lastmod><rs:md length="8"${hashOf(each)}/></url>`,
  );
  return `<urlset ${names}>${up}\n<rs:md capability="resourcelist" at="${at}"/>\n${entries.join("\n")}</urlset>`;
}

export function resourceListIndex(urls: readonly string[], at = time(0)): string {
  const entries = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`);
  return `<sitemapindex ${names}>${up}<rs:md capability="resourcelist" at="${at}"/>${entries.join("")}</sitemapindex>`;
}

export interface Change extends Listed {
  readonly change: "created" | "updated" | "deleted";
  /** Minutes. */
  readonly at: number;
}

/** A change notification for the interval, in minutes. */
export function changes(from: number, until: number, told: readonly Change[]): string {
  const entries = told.map(
    (each) =>
      `<url><loc>${each.uri}</loc><rs:md change="${each.change}" datetime="${time(each.at)}"${hashOf(each)}/></url>`,
  );
  return `<urlset ${names}>${up}<rs:md capability="change-notification" from="${time(from)}" until="${time(until)}"/>${entries.join("")}</urlset>`;
}

export function putBaseline(hub: TestHub, body: string, token = publisherToken): Promise<Response> {
  return fetch(`${hub.baseUrl}/sets/maps/resourcelist.xml`, {
    method: "PUT",
    body,
    headers: { "Content-Type": "application/xml", Authorization: `Bearer ${token}` },
  });
}

interface Synced {
  readonly at: string;
  readonly completed: string;
  readonly lists: number;
  /** The first digit of each resource's hash, by URI. */
  readonly resources: ReadonlyMap<string, string>;
}

function resourcesOf(text: string): [uri: string, hash: string][] {
  return [...text.matchAll(/<url>\s*<loc>([^<]+)<\/loc>([\s\S]*?)<\/url>/g)].map(
    ([, uri = "", rest = ""]) => [uri, /hash="sha-256:(.)/.exec(rest)?.[1] ?? ""],
  );
}

async function read(url: string): Promise<{ text: string; at: string; completed: string }> {
  const response = await fetch(url, { headers: { "Accept-Encoding": "identity" } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const text = await response.text();
  const [, at = "", completed = ""] =
    /capability="resourcelist" at="([^"]+)" completed="([^"]+)"/.exec(text) ?? [];
  return { text, at, completed };
}

/** What a Destination does that reads core 1.1 and nothing else: it follows an index, and gathers what is listed. */
export async function baselineSync(url: string): Promise<Synced> {
  const { text, at, completed } = await read(url);
  const isIndex = text.includes("<sitemapindex");
  const named = isIndex ? [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, list = ""]) => list) : [];
  const parts = isIndex ? await Promise.all(named.map(read)) : [{ text, at, completed }];
  if (parts.some((part) => part.at !== at || part.completed !== completed)) {
    throw new Error("lists of different moments");
  }
  const listed = parts.flatMap((part) => resourcesOf(part.text));
  const resources = new Map(listed);
  if (resources.size < listed.length) throw new Error("a resource is listed twice");
  return { at, completed, lists: parts.length, resources };
}

/** The bytes as they came over the wire, unpacked by us. */
export const unpacked = (bytes: Uint8Array): string => gunzipSync(bytes).toString("utf8");

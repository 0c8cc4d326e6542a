import { createServer, type IncomingMessage } from "node:http";

export interface SourceAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Begins the answer and never ends it. */
  readonly hang?: boolean;
}

const rs = 'xmlns:rs="http://www.openarchives.org/rs/terms/"';
const sitemap = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export const urlset = (...parts: readonly string[]): string =>
  `<urlset ${sitemap} ${rs}>${parts.join("\n")}</urlset>`;
export const sitemapindex = (...parts: readonly string[]): string =>
  `<sitemapindex ${sitemap} ${rs}>${parts.join("\n")}</sitemapindex>`;
export const link = (rel: string, href: string): string => `<rs:ln rel="${rel}" href="${href}"/>`;
export const md = (attributes: string): string => `<rs:md ${attributes}/>`;
export const url = (loc: string, ...parts: readonly string[]): string =>
  `<url><loc>${loc}</loc>${parts.join("")}</url>`;
const sitemapEntry = (loc: string, ...parts: readonly string[]): string =>
  `<sitemap><loc>${loc}</loc>${parts.join("")}</sitemap>`;

export interface SourceServer extends AsyncDisposable {
  readonly origin: string;
  /** Method and path, as they came. */
  readonly requests: readonly string[];
  /** How many answers were under way at once at most. */
  readonly mostAtOnce: number;
}

/** A Source on a port of its own, from `pages`: what stands at which path. */
export async function startSource(
  pages: (origin: string) => Readonly<Record<string, SourceAnswer | string>>,
): Promise<SourceServer> {
  const requests: string[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  let known: Readonly<Record<string, SourceAnswer | string>> = {};
  const answerTo = ({ url = "" }: IncomingMessage): SourceAnswer => {
    const page = known[url] ?? { status: 404 };
    return typeof page === "string" ? { body: page } : page;
  };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.once("close", () => {
      underWay -= 1;
    });
    const { status = 200, headers = {}, body = "", hang = false } = answerTo(request);
    response.writeHead(status, { "content-type": "application/xml", ...headers });
    if (hang) response.write(" ");
    else response.end(request.method === "HEAD" ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  known = pages(origin);
  return {
    origin,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const nine = "2026-03-02T09:00:00Z";
const ten = "2026-03-02T10:00:00Z";

/** A Source without a fault: every kind of document but archives. */
export function goodSource(origin: string): Record<string, SourceAnswer | string> {
  const at = (path: string): string => `${origin}${path}`;
  const cap = at("/set/capabilitylist.xml");
  const topic = (path: string): SourceAnswer => ({
    headers: { link: `<${at(path)}>; rel="self", <${at("/hub")}>; rel="hub"`, "content-length": "0" },
  });
  const about = link("describedby", at("/about.html"));
  const up = link("up", cap);
  const index = link("index", at("/set/changelists.xml"));
  return {
    "/.well-known/resourcesync": urlset(
      about,
      md('capability="description"'),
      url(cap, md('capability="capabilitylist"'), about),
    ),
    "/set/capabilitylist.xml": urlset(
      about,
      link("up", at("/.well-known/resourcesync")),
      md('capability="capabilitylist"'),
      url(at("/set/resourcelist.xml"), md('capability="resourcelist"')),
      url(at("/set/changelists.xml"), md('capability="changelist"')),
      url(at("/set/resourcedump.xml"), md('capability="resourcedump"')),
      url(at("/topics/change"), md('capability="change-notification"'), link("hub", at("/hub"))),
      url(at("/topics/framework"), md('capability="framework-notification"'), link("hub", at("/hub"))),
    ),
    "/set/resourcelist.xml": urlset(
      up,
      md(`capability="resourcelist" at="${nine}" completed="2026-03-02T09:05:00Z"`),
      url(at("/maps/1")),
      url(at("/maps/2")),
    ),
    "/set/changelists.xml": sitemapindex(
      up,
      md('capability="changelist" from="2026-03-02T08:00:00Z"'),
      sitemapEntry(at("/set/changelist-1.xml"), md(`from="2026-03-02T08:00:00Z" until="${ten}"`)),
      sitemapEntry(at("/set/changelist-2.xml"), md(`from="${ten}"`)),
    ),
    "/set/changelist-1.xml": urlset(
      up,
      index,
      md(`capability="changelist" from="2026-03-02T08:00:00Z" until="${ten}"`),
      url(at("/maps/1"), md('change="created" datetime="2026-03-02T08:30:00Z"')),
      url(at("/maps/3"), md('change="deleted" datetime="2026-03-02T08:40:00Z"')),
      url(at("/maps/2"), md('change="updated" datetime="2026-03-02T09:03:00Z"')),
    ),
    "/set/changelist-2.xml": urlset(
      up,
      index,
      md(`capability="changelist" from="${ten}"`),
      url(at("/maps/4"), md('change="created" datetime="2026-03-02T10:30:00Z"')),
      url(at("/maps/1"), md('change="deleted" datetime="2026-03-02T10:40:00Z"')),
    ),
    "/set/resourcedump.xml": urlset(
      up,
      md(`capability="resourcedump" at="${nine}"`),
      url(
        at("/set/dump.zip"),
        md('type="application/zip" length="4711"'),
        link("contents", at("/set/manifest.xml")),
      ),
    ),
    "/set/manifest.xml": urlset(
      up,
      md(`capability="resourcedump-manifest" at="${nine}"`),
      url(at("/maps/1"), md('type="image/tiff" path="/maps/1"')),
    ),
    "/topics/change": topic("/topics/change"),
    "/topics/framework": topic("/topics/framework"),
  };
}

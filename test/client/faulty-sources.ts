import { goodSource, link, md, type SourceAnswer, url, urlset } from "./source-server.ts";

type Pages = Record<string, SourceAnswer | string>;

export const wellKnown = "/.well-known/resourcesync";
export const capabilityList = "/set/capabilitylist.xml";
export const textOf = (pages: Pages, path: string): string => {
  const page = pages[path];
  return typeof page === "string" ? page : String(page?.body ?? "");
};

/** The good Source with something changed. */
export const but =
  (change: (pages: Pages, origin: string) => Pages) =>
  (origin: string): Pages => ({ ...goodSource(origin), ...change(goodSource(origin), origin) });
const replacing = (path: string, what: string | RegExp, by: string) =>
  but((pages) => {
    const text = textOf(pages, path);
    const replaced = text.replace(what, by);
    if (replaced === text) throw new Error(`${path} has no ${String(what)}`);
    return { [path]: replaced };
  });

const notification = (origin: string, loc: string, ...links: readonly string[]): string =>
  urlset(
    link("up", `${origin}${capabilityList}`),
    md('capability="framework-notification"'),
    url(`${origin}${loc}`, md('change="updated" capability="changelist"'), ...links),
  );

/** A Source with one fault, and what is to be said of it. */
interface Case {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly title: string;
  readonly says: RegExp;
  readonly pages: (origin: string) => Pages;
  /** Where the walk begins, if not at the origin. */
  readonly start?: string;
}

export const faultySources: readonly Case[] = [
  {
    rule: "S05",
    severity: "error",
    title: "a framework notification about a list under an index does not name the index",
    says: /changelist-2\.xml belongs to the index .*changelists\.xml; add/,
    start: "/notification.xml",
    pages: but((_, origin) => ({ "/notification.xml": notification(origin, "/set/changelist-2.xml") })),
  },
  {
    rule: "S06",
    severity: "error",
    title: "a framework notification names an index",
    says: /changelists\.xml is an index; name the document/,
    start: "/notification.xml",
    pages: but((_, origin) => ({ "/notification.xml": notification(origin, "/set/changelists.xml") })),
  },
  {
    rule: "S09",
    severity: "warning",
    title: "the Capability List names another hub than the topic",
    says: /names the hub https:\/\/old\.example\.org\/hub .*make them agree/,
    pages: but((pages, origin) => ({
      [capabilityList]: textOf(pages, capabilityList).replace(
        link("hub", `${origin}/hub`),
        link("hub", "https://old.example.org/hub"),
      ),
    })),
  },
  {
    rule: "S10",
    severity: "warning",
    title: "a list under an index has no index link",
    says: /listed in the index .*no index link; write <rs:ln rel="index"/,
    pages: replacing("/set/changelist-1.xml", /<rs:ln rel="index"[^>]*>/, ""),
  },
  {
    rule: "S12",
    severity: "error",
    title: "a list is closed in the future",
    says: /until="2999-01-01T00:00:00Z" is still to come/,
    pages: but((pages) => ({
      "/set/changelist-2.xml": textOf(pages, "/set/changelist-2.xml").replace(
        'from="2026-03-02T10:00:00Z"',
        'from="2026-03-02T10:00:00Z" until="2999-01-01T00:00:00Z"',
      ),
      "/set/changelists.xml": textOf(pages, "/set/changelists.xml").replace(
        'md from="2026-03-02T10:00:00Z"',
        'md from="2026-03-02T10:00:00Z" until="2999-01-01T00:00:00Z"',
      ),
    })),
  },
  {
    rule: "S13",
    severity: "error",
    title: "an index calls a closed list open",
    says: /was closed at 2026-03-02T10:00:00Z; its entry here lacks until/,
    pages: replacing("/set/changelists.xml", / until="[^"]*"/, ""),
  },
  {
    rule: "S13",
    severity: "error",
    title: "an index calls an open list closed",
    says: /is still open; take until out/,
    pages: replacing(
      "/set/changelists.xml",
      'md from="2026-03-02T10:00:00Z"',
      'md from="2026-03-02T10:00:00Z" until="2026-03-02T11:00:00Z"',
    ),
  },
  {
    rule: "S14",
    severity: "warning",
    title: "a resource is in the Change List, but not in the Resource List",
    says: /existed when the Resource List was made, which lacks them: .*\/maps\/1 /,
    pages: replacing("/set/resourcelist.xml", /<url><loc>[^<]*\/maps\/1<\/loc><\/url>/, ""),
  },
  {
    rule: "S14",
    severity: "warning",
    title: "a resource is still in the Resource List after it was deleted",
    says: /were deleted before the Resource List was made, which still has them: .*\/maps\/3 /,
    pages: replacing("/set/resourcelist.xml", "/maps/2", "/maps/3"),
  },
  {
    rule: "S15",
    severity: "warning",
    title: "the Source Description is elsewhere only",
    says: /\/description\.xml is not found from here/,
    start: capabilityList,
    pages: but((pages) => ({
      [wellKnown]: { status: 404 },
      "/description.xml": textOf(pages, wellKnown),
      [capabilityList]: textOf(pages, capabilityList).replace(wellKnown, "/description.xml"),
    })),
  },
  {
    rule: "S15",
    severity: "error",
    title: "something else stands at the well-known place",
    says: /type "resource-dump-manifest" stands here/,
    start: capabilityList,
    pages: but((pages) => ({
      [wellKnown]: textOf(pages, "/set/manifest.xml"),
      "/description.xml": textOf(pages, wellKnown),
      [capabilityList]: textOf(pages, capabilityList).replace(wellKnown, "/description.xml"),
    })),
  },
  {
    rule: "S16",
    severity: "error",
    title: "a list goes on in pages",
    says: /goes on at .*page=2 by rel="next"/,
    pages: replacing(
      "/set/resourcelist.xml",
      "<rs:md",
      `${link("next", "https://example.org/?page=2")}<rs:md`,
    ),
  },
  {
    rule: "S16",
    severity: "error",
    title: "two lists of one kind stand side by side",
    says: /2 documents of type resource-list belong to the same set/,
    start: "/notification.xml",
    pages: but((pages, origin) => ({
      "/set/more.xml": textOf(pages, "/set/resourcelist.xml"),
      "/notification.xml": notification(origin, "/set/more.xml").replace('"changelist"', '"resourcelist"'),
    })),
  },
  {
    rule: "S17",
    severity: "error",
    title: "a link promises another document than there is",
    says: /promises capability="resourcedump", but a document with capability="resourcelist" stands there/,
    pages: but((pages) => ({
      [capabilityList]: textOf(pages, capabilityList).replace("resourcedump.xml", "old-dump.xml"),
      "/set/old-dump.xml": textOf(pages, "/set/resourcelist.xml")
        .replaceAll("<url>", "<!--")
        .replaceAll("</url>", "-->")
        .replace(/<rs:ln rel="up"[^>]*>/, link("up", "https://example.org/elsewhere.xml")),
    })),
  },
  {
    rule: "H10",
    severity: "error",
    title: "a topic names no hub",
    says: /no rel="hub"/,
    pages: but((_, origin) => ({
      "/topics/change": { headers: { link: `<${origin}/topics/change>; rel="self"` } },
    })),
  },
  {
    rule: "H10",
    severity: "error",
    title: "a topic answers 204, as before 1.0.1",
    says: /answered with 204; answer 200/,
    pages: but(() => ({ "/topics/change": { status: 204 } })),
  },
  {
    rule: "H12",
    severity: "error",
    title: "both kinds of notification share a topic",
    says: /is the topic of change-notification and of framework-notification/,
    pages: replacing(capabilityList, "/topics/framework", "/topics/change"),
  },
];

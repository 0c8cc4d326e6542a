import type { Explanations } from "./explanation.ts";

const listed = (name: string, capability: string, more = ""): string =>
  `<url><loc>https://maps.example.org/${name}</loc><rs:md capability="${capability}"/>${more}</url>`;
const hub = '<rs:ln rel="hub" href="https://hub.example.org/websub"/>';
const about = '<rs:ln rel="describedby" href="https://maps.example.org/about"/>';
const up = '<rs:ln rel="up" href="https://maps.example.org/.well-known/resourcesync"/>';
const index =
  '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">' +
  '<rs:md capability="capabilitylist"/></sitemapindex>';

export const explanationsOfDiscovery: Explanations = {
  CAP01: {
    why: "People who run Destinations choose sets of resources by what is said about them.",
    place: "links of capability-list",
    valid: up + about,
    invalid: up,
  },
  CAP02: {
    why: "Without it a Destination does not know what it would find there, and passes on.",
    place: "entries of capability-list",
    valid: listed("resourcelist.xml", "resourcelist"),
    invalid: "<url><loc>https://maps.example.org/resourcelist.xml</loc></url>",
  },
  CAP03: {
    why: "A Destination takes the first one and never sees the second: several lists belong under an index, which is listed.",
    place: "entries of capability-list",
    valid: listed("resourcelist.xml", "resourcelist") + listed("changelist.xml", "changelist"),
    invalid: listed("list1.xml", "resourcelist") + listed("list2.xml", "resourcelist"),
  },
  CAP04: {
    why: "They are reached by other ways: from the Source Description, and inside packages.",
    place: "entries of capability-list",
    valid: listed("resourcelist.xml", "resourcelist"),
    invalid: listed("description.xml", "description"),
  },
  CAP05: {
    why: "Destinations look for the values that the specifications define, and pass over all others.",
    place: "entries of capability-list",
    valid: listed("resourcelist.xml", "resourcelist"),
    invalid: listed("oai", "oai-pmh"),
  },
  CAP06: {
    why: "A Destination that believes an old lastmod thinks that nothing has changed.",
    place: "entry of capability-list",
    valid: '<rs:md capability="changelist"/>',
    invalid: '<lastmod>2026-03-02T00:00:00Z</lastmod><rs:md capability="changelist"/>',
  },
  CAP07: {
    why: "A set has a handful of capabilities, so the standard wants no index, and Destinations expect none.",
    place: "document",
    valid: index.replaceAll("sitemapindex", "urlset"),
    invalid: index,
  },
  CAP08: {
    why: "Destinations subscribe at the hub; without the link they know the channel and cannot get at it.",
    place: "entries of capability-list",
    valid: listed("changes", "change-notification", hub),
    invalid: listed("changes", "change-notification"),
    severities: { "0.8": "none" },
  },
  CAP09: {
    why: "Destinations of 1.0.1 subscribe to topics over WebSub; a socket means nothing to them.",
    place: "entries of capability-list",
    valid: listed("changes", "change-notification", hub),
    invalid: listed("changes", "change-notification").replace("https:", "wss:"),
    severities: { "0.8": "none", lenient: "none" },
  },
  CAP10: {
    why: "A subscriber to the one would receive both, and take documents for resources.",
    place: "entries of capability-list",
    valid: listed("changes", "change-notification", hub) + listed("documents", "framework-notification", hub),
    invalid: listed("all", "change-notification", hub) + listed("all", "framework-notification", hub),
  },
  SD01: {
    why: "It is the only place where a Source says about itself what people want to know.",
    place: "links of source-description",
    valid: about,
    invalid: "",
  },
  SD02: {
    why: "Destinations expect Capability Lists here, one for each set of resources, and the other documents in those.",
    place: "entries of source-description",
    valid: listed("capabilitylist.xml", "capabilitylist", about),
    invalid: listed("resourcelist.xml", "resourcelist", about),
  },
  SD03: {
    why: "People who run Destinations choose sets of resources by what is said about them.",
    place: "entries of source-description",
    valid: listed("capabilitylist.xml", "capabilitylist", about),
    invalid: listed("capabilitylist.xml", "capabilitylist"),
  },
  SD04: {
    why: "Nothing is above it: a reader that climbs would leave ResourceSync or go round in a circle.",
    place: "links of source-description",
    valid: about,
    invalid: about + up,
  },
  SD05: {
    why: "Readers of 1.1 compare with description and take this for no Source Description.",
    place: "md of source-description",
    valid: '<rs:md capability="description"/>',
    invalid: '<rs:md capability="resourcesync"/>',
    severities: { lenient: "warning" },
  },
  SD06: {
    why: "A Destination that believes an old lastmod thinks that nothing has changed.",
    place: "entry of source-description",
    valid: '<rs:md capability="capabilitylist"/>',
    invalid: '<lastmod>2026-03-02T00:00:00Z</lastmod><rs:md capability="capabilitylist"/>',
  },
};

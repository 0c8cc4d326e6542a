import { parseLinkHeader } from "../protocol/link-header.ts";
import { targetsOf } from "./links-to-follow.ts";
import type { SourceComplaint, SourceRule } from "./source-rule.ts";
import { withoutFragment } from "./visit-document.ts";
import type { Topic, WalkedSource } from "./walked-document.ts";

interface Channel {
  readonly capabilityList: string;
  readonly kind: string;
  readonly topic: Topic;
  /** As the Capability List names them. */
  readonly hubs: readonly string[];
}

function channelsOf({ digests, topics }: WalkedSource): Channel[] {
  return digests
    .filter(({ type }) => type === "capability-list")
    .flatMap(({ url, entries }) =>
      entries.flatMap(({ loc, links, metadata }) => {
        const kind = metadata?.capability;
        const topic = topics.find((each) => URL.canParse(loc) && each.url === withoutFragment(loc));
        if (topic === undefined || kind?.endsWith("-notification") !== true) return [];
        return [{ capabilityList: url, kind, topic, hubs: targetsOf(links, "hub") }];
      }),
    );
}

const linked = ({ answer }: Topic, relation: string): string[] =>
  answer.kind === "failed"
    ? []
    : parseLinkHeader(answer.linkHeaders)
        .filter(({ rels }) => rels.includes(relation))
        .map(({ href }) => (URL.canParse(href, answer.url) ? new URL(href, answer.url).href : href));

function answerFault(topic: Topic): string | undefined {
  const { answer, url } = topic;
  if (answer.kind === "failed") return undefined;
  if (answer.status !== 200) return `HEAD is answered with ${answer.status}; answer 200`;
  if (!/^application\/xml\s*(?:;|$)/i.test(answer.contentType)) {
    return `HEAD is answered with Content-Type "${answer.contentType}"; send application/xml`;
  }
  const missing = ["self", "hub"].filter((relation) => linked(topic, relation).length === 0);
  if (missing.length > 0) {
    return `the Link header has no ${missing.map((rel) => `rel="${rel}"`).join(" and no ")}; subscribers find the hub by it`;
  }
  const [self = ""] = linked(topic, "self");
  return self === url
    ? undefined
    : `the Link header calls the topic ${self}, but the Capability List names ${url}`;
}

function checkAnswers({ topics }: WalkedSource): SourceComplaint[] {
  return topics.flatMap((topic) => {
    const says = answerFault(topic);
    return says === undefined ? [] : [{ url: topic.url, says }];
  });
}

function checkHubs(source: WalkedSource): SourceComplaint[] {
  return channelsOf(source).flatMap(({ capabilityList, topic, hubs }) => {
    const named = linked(topic, "hub");
    const same = hubs.some((hub) => URL.canParse(hub) && named.includes(new URL(hub).href));
    if (hubs.length === 0 || named.length === 0 || same) return [];
    const says = `it names the hub ${hubs.join(", ")} for ${topic.url}, which itself names ${named.join(", ")}; make them agree`;
    return [{ url: capabilityList, says }];
  });
}

function checkShared(source: WalkedSource): SourceComplaint[] {
  const kinds = new Map<string, string>();
  return channelsOf(source).flatMap(({ capabilityList, kind, topic }) => {
    const before = kinds.get(topic.url);
    kinds.set(topic.url, kind);
    if (before === undefined || before === kind) return [];
    return [
      {
        url: capabilityList,
        says: `${topic.url} is the topic of ${before} and of ${kind}; give each its own`,
      },
    ];
  });
}

/** Notification channels, as far as a Capability List and the topics' headers show. */
export const rulesOfChannels: readonly SourceRule[] = [
  {
    id: "H10",
    severity: "error",
    sentence: "A topic answers HEAD with 200, application/xml, and a Link header with self and hub.",
    source: "Change and Framework Notification 1.0.1 §4.1",
    check: checkAnswers,
  },
  {
    id: "H12",
    severity: "error",
    sentence: "Change and framework notifications never share a topic.",
    source: "Change and Framework Notification 1.0.1 §2, §4",
    check: checkShared,
  },
  {
    id: "S09",
    severity: "warning",
    sentence: "A Capability List names each topic with the hub where it is registered.",
    source: "Change and Framework Notification 1.0.1 §5",
    check: checkHubs,
  },
];

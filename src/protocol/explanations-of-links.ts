import type { Explanations } from "./explanation.ts";

const list = 'href="https://maps.example.org/capabilitylist.xml"';
const target = 'href="https://maps.example.org/b"';
const patch = `<rs:ln rel="http://www.openarchives.org/rs/terms/patch" ${target}`;
const up = `<rs:ln rel="up" ${list}/>`;

export const explanationsOfLinks: Explanations = {
  L01: {
    why: "A link that leads nowhere is passed over.",
    place: "links of change-list",
    valid: up,
    invalid: '<rs:ln rel="up"/>',
  },
  L02: {
    why: "A reader follows links for what they mean.",
    place: "entry of resource-list",
    valid: `<rs:ln rel="via" ${target}/>`,
    invalid: `<rs:ln ${target}/>`,
  },
  L03: {
    why: "A document that was pushed or copied has no address that a relative link could begin at.",
    place: "links of change-list",
    valid: up,
    invalid: '<rs:ln rel="up" href="capabilitylist.xml"/>',
  },
  L04: {
    why: 'Readers compare the whole value: "up index" is neither up nor index to them.',
    place: "links of change-list",
    valid: up,
    invalid: `<rs:ln rel="up index" ${list}/>`,
  },
  L05: {
    why: "Nobody knows what an invented word means; a URI of your own can be looked up and is never taken for another.",
    place: "entry of resource-list",
    valid: `<rs:ln rel="https://maps.example.org/rel/facsimile" ${target}/>`,
    invalid: `<rs:ln rel="facsimile" ${target}/>`,
  },
  L06: {
    why: "Further attributes describe representations of resources; about documents they say nothing.",
    place: "links of change-list",
    valid: up,
    invalid: `<rs:ln rel="up" ${list} type="application/xml"/>`,
  },
  L07: {
    why: 'Readers of 1.1 look for rel="up" and do not find their way to the Capability List.',
    place: "links of change-list",
    valid: up,
    invalid: `<rs:ln rel="resourcesync" ${list}/>`,
  },
  L08: {
    why: "Without it nobody knows how to apply the patch.",
    place: "entry of change-list",
    valid: `${patch} type="application/json-patch"/>`,
    invalid: `${patch}/>`,
  },
  L09: {
    why: "A patch leads from one state to the next; a list of what is has no state before.",
    place: "entry of resource-list",
    valid: `<rs:ln rel="describedby" ${target}/>`,
    invalid: `${patch} type="application/json-patch"/>`,
  },
  L10: {
    why: "The patch lies in the package, and path says where.",
    place: "entry of change-dump-manifest",
    valid: `${patch} type="application/json-patch" path="/changes/b"/>`,
    invalid: `${patch} type="application/json-patch"/>`,
  },
  L11: {
    why: "Readers choose among alternates by their media type.",
    place: "entry of resource-list",
    valid: `<rs:ln rel="alternate" ${target} type="text/html"/>`,
    invalid: `<rs:ln rel="alternate" ${target}/>`,
  },
  L12: {
    why: "A TimeGate sends readers on to a version; it has no representation that could be described.",
    place: "entry of resource-list",
    valid: `<rs:ln rel="timegate" ${target}/>`,
    invalid: `<rs:ln rel="timegate" ${target} type="text/html"/>`,
  },
  L13: {
    why: "It leads from a package to its manifest, and here there are no packages.",
    place: "entry of resource-list",
    valid: `<rs:ln rel="describedby" ${target}/>`,
    invalid: `<rs:ln rel="contents" ${target}/>`,
  },
  L14: {
    why: "A document belongs to one set of resources; of two ways up, readers take the first.",
    place: "links of change-list",
    valid: up,
    invalid: `${up}<rs:ln rel="up" href="https://maps.example.org/other/capabilitylist.xml"/>`,
  },
  L15: {
    why: "Whoever comes upon the document finds by this link what else the Source offers.",
    place: "links of change-list",
    valid: up,
    invalid: `<rs:ln rel="resourcesync" ${list}/>`,
    severities: { lenient: "warning" },
  },
  L16: {
    why: "A mirror has the same bytes, so the attributes of rs:md hold for it; repeated, they can contradict.",
    place: "entry of resource-list",
    valid: '<rs:ln rel="duplicate" href="https://mirror.example.net/a" pri="1"/>',
    invalid: '<rs:ln rel="duplicate" href="https://mirror.example.net/a" length="5"/>',
  },
};

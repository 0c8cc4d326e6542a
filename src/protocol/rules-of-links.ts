import { judgeAbsoluteUri } from "./absolute-uri.ts";
import { allBut, type DocumentType, oneOf } from "./document-type.ts";
import { isRegisteredRelation, normalRelation, patchRelation } from "./link-relations.ts";
import { type Complaint, core, isTopLevel, type Rule, type RuleFamily } from "./rule.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

const withPatches = oneOf("changelist", "changedump-manifest", "change-notification");
const withoutPatches = allBut("changelist", "changedump-manifest", "change-notification");
const withoutContents = allBut("resourcedump", "changedump");
const belowTop = allBut("description", "description index");
const needsUp = (type: DocumentType): boolean => belowTop(type) && !type.endsWith("-notification");

const relationOf = (link: XmlElement): string | undefined => {
  const rel = attributeOf(link, "rel");
  return rel === undefined ? undefined : normalRelation(rel);
};

/** The links of one relation type. */
export function linksOf(links: readonly XmlElement[], relation: string): XmlElement[] {
  return links.filter((link) => relationOf(link) === relation);
}

/** Where a link leads, without the white space that XML allows around a URI. */
export function targetOf(link: XmlElement): string | undefined {
  const href = attributeOf(link, "href");
  return href === undefined ? undefined : trimmed(href);
}

/** A rule about links of one relation type. */
function ofRelation(
  relation: string,
  rule: Omit<Rule<XmlElement>, "check">,
  check: (link: XmlElement) => Complaint | readonly Complaint[] | undefined,
): Rule<XmlElement> {
  return { ...rule, check: (link) => (relationOf(link) === relation ? check(link) : undefined) };
}

const lacks = (link: XmlElement, attribute: string, why: string): Complaint | undefined =>
  attributeOf(link, attribute) === undefined
    ? { element: link, says: `the rs:ln has no "${attribute}" attribute; ${why}` }
    : undefined;

function superfluous(link: XmlElement, allowed: (name: string) => boolean, why: string): Complaint[] {
  return link.attributes
    .filter(({ prefix, name }) => prefix === "" && !allowed(name))
    .map(({ name }) => ({ element: link, attribute: name, says: `the rs:ln has "${name}"; ${why}` }));
}

const isHrefOrRel = (name: string): boolean => name === "href" || name === "rel";

function judgeRelation(element: XmlElement): Complaint | undefined {
  const rel = relationOf(element);
  if (rel === undefined || /\s|^$/.test(rel)) return undefined; // L02, L04
  // L07 speaks of the relation of 0.9.
  if (isRegisteredRelation(rel) || rel === "resourcesync") return undefined;
  const isUri = judgeAbsoluteUri(rel).fault === undefined;
  if (isUri) return undefined;
  const says = `rel="${rel}" is not registered at IANA; use a registered relation, or an absolute URI of your own`;
  return { element, attribute: "rel", says };
}

/** L: rs:ln. */
export const rulesOfLinks: RuleFamily = {
  ofDocuments: [
    {
      id: "L14",
      severity: "warning",
      sentence: "There is at most one top-level up link.",
      source: `${core} §9–13`,
      check: ({ links }) =>
        linksOf(links, "up")
          .slice(1)
          .map((element) => ({ element, says: "a second top-level up link; readers follow one only" })),
    },
    {
      id: "L15",
      severity: "error",
      sentence:
        "A top-level up link leads to the capability list or, from a capability list, to the source description.",
      source: `${core} §9–13`,
      applies: ({ type }) => needsUp(type),
      check: ({ root, links }, { type, lenient }) => {
        if (linksOf(links, "up").length > 0) return undefined;
        const parent = type.startsWith("capabilitylist") ? "source description" : "capability list";
        const says = `<${root.name}> has no up link; write <rs:ln rel="up" href="…"/> to the ${parent}`;
        const hasFormerLink = linksOf(links, "resourcesync").length > 0;
        return { element: root, severity: lenient && hasFormerLink ? "warning" : undefined, says };
      },
    },
  ],
  ofLinks: [
    {
      id: "L01",
      severity: "error",
      sentence: "rs:ln has href.",
      source: `${core} §7`,
      check: (link) => lacks(link, "href", "say where the link leads"),
    },
    {
      id: "L02",
      severity: "error",
      sentence: "rs:ln has rel.",
      source: `${core} §7`,
      check: (link) => lacks(link, "rel", 'say what the link means, such as rel="up"'),
    },
    {
      id: "L03",
      severity: "error",
      sentence: "href is an absolute URI, since a pushed document has no base URI of its own.",
      source: `${core} §7`,
      check: (element) => {
        const href = targetOf(element);
        if (href === undefined) return undefined;
        const { fault, isIri } = judgeAbsoluteUri(href);
        if (fault !== undefined) return { element, attribute: "href", says: `href ${fault}` };
        const says = "href has characters beyond ASCII; percent-encode their UTF-8 bytes";
        return isIri ? { element, attribute: "href", severity: "warning", says } : undefined;
      },
    },
    {
      id: "L04",
      severity: "error",
      sentence: "rel holds one relation type, not a list.",
      source: "RFC 4287 §4.2.7.2",
      check: (element) => {
        const rel = attributeOf(element, "rel");
        if (rel === undefined || !/\s|^$/.test(rel)) return undefined;
        const says = `rel="${rel}" is not exactly one relation type; write one rs:ln for each, without spaces`;
        return { element, attribute: "rel", says };
      },
    },
    {
      id: "L05",
      severity: "warning",
      sentence: "rel is a relation registered at IANA or an absolute URI.",
      source: `${core} §7`,
      check: judgeRelation,
    },
    {
      id: "L06",
      severity: "warning",
      sentence: "A top-level rs:ln has only href and rel.",
      source: `${core} §7, table 3`,
      check: (link) =>
        isTopLevel(link)
          ? superfluous(link, isHrefOrRel, "a top-level link has href and rel only")
          : undefined,
    },
    ofRelation(
      "resourcesync",
      {
        id: "L07",
        severity: "warning",
        sentence:
          'The link upward is rel="up"; inside documents rel="resourcesync" was its form before 0.9.1.',
        source: `${core} §7`,
      },
      (element) => ({
        element,
        attribute: "rel",
        says: 'rel="resourcesync" is an older form; write rel="up"',
      }),
    ),
    ofRelation(
      patchRelation,
      {
        id: "L08",
        severity: "error",
        sentence: "A patch link has type.",
        source: `${core} §14.4`,
        applies: ({ type }) => withPatches(type),
      },
      (link) => lacks(link, "type", "say in which format the patch is"),
    ),
    ofRelation(
      patchRelation,
      {
        id: "L09",
        severity: "error",
        sentence:
          "Patch links occur only in change lists, change dump manifests and, by extension, change notifications.",
        source: `${core} §14.4`,
        applies: ({ type }) => withoutPatches(type),
      },
      (element) => ({ element, says: "a patch link may stand only where changes to resources are listed" }),
    ),
    ofRelation(
      patchRelation,
      {
        id: "L10",
        severity: "error",
        sentence: "In a change dump manifest a patch link has path.",
        source: `${core} §14.4`,
        applies: ({ type }) => type === "changedump-manifest",
      },
      (link) => lacks(link, "path", "say where in the package the patch is"),
    ),
    ofRelation(
      "alternate",
      {
        id: "L11",
        severity: "warning",
        sentence: "An alternate link has type.",
        source: `${core} §14.3`,
      },
      (link) => lacks(link, "type", "say in what the alternate differs"),
    ),
    ofRelation(
      "timegate",
      {
        id: "L12",
        severity: "warning",
        sentence: "A timegate link has no attributes besides rel and href.",
        source: `${core} §14.6`,
      },
      (link) => superfluous(link, isHrefOrRel, "a TimeGate has no representation of its own"),
    ),
    ofRelation(
      "contents",
      {
        id: "L13",
        severity: "warning",
        sentence: "contents links occur only in the entries of dumps.",
        source: `${core} §7`,
        applies: ({ type }) => withoutContents(type),
      },
      (element) => ({
        element,
        says: "a contents link leads to the manifest of a package; leave it out here",
      }),
    ),
    ofRelation(
      "duplicate",
      {
        id: "L16",
        severity: "warning",
        sentence: "A duplicate link has no hash, length or type: they are those of the resource.",
        source: `${core} §14.2`,
      },
      (link) =>
        superfluous(
          link,
          (name) => !["hash", "length", "type"].includes(name),
          "a duplicate has those of the resource itself",
        ),
    ),
  ],
};

import type { ReadingLimits } from "./reading-limits.ts";
import { stop } from "./refusal.ts";
import { vocabularyOf } from "./vocabulary.ts";
import type { XmlAttribute, XmlElement } from "./xml-element.ts";
import { beginsAsLocalName, isBlank, isNamespaceName } from "./xml-names.ts";

/** The name of an element as its parser resolved it. */
interface ReadTag {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  /** The namespace; empty where there is none. */
  readonly uri: string;
}

/** Grows while the parser goes along. */
export interface ElementTree {
  root: XmlElement | undefined;
  /** Elements of ours inside foreign ones, where no rule would meet them. */
  readonly strays: XmlElement[];
  /** Outermost first. */
  readonly open: readonly XmlElement[];
  lastClosed: XmlElement | undefined;
  /** `attributes`: as they came, with the declarations of namespaces. */
  begin(tag: ReadTag, offset: number, attributes: readonly XmlAttribute[]): void;
  addText(part: string): void;
  end(): void;
  /** Lets go of the root's last child: a reader that takes entries one by one never holds them all. */
  forgetLast(): void;
}

interface GrowingElement extends XmlElement {
  children: XmlElement[];
  foreignChildren: number;
  text: string;
}

const entryNames = new Set(["url", "sitemap"]);
const isEntry = ({ vocabulary, local }: XmlElement): boolean =>
  vocabulary === "sitemap" && entryNames.has(local);
/** The root and the entries hold elements; only below them is text expected. */
const levelsWithoutText = 2;
const nothing: readonly never[] = [];
/** Most elements have none, and an array for each would be most of what they take. Nothing is ever put into it. */
const noChildren: XmlElement[] = [];

function addChild(parent: GrowingElement, child: XmlElement): void {
  if (parent.children === noChildren) parent.children = [child];
  else parent.children.push(child);
}

function checkName(
  { name, prefix, local }: ReadTag | XmlAttribute,
  offset: number,
  { nameLength }: ReadingLimits,
): void {
  if (name.length > nameLength) stop("W03", offset, `a name has more than ${nameLength} characters`);
  if (prefix === "" || beginsAsLocalName(local)) return;
  stop("X01", offset, `"${name}" is no name: a digit, dot or hyphen stands after the colon`);
}

type Split = readonly [attributes: readonly XmlAttribute[], declarations: readonly XmlAttribute[]];

const isDeclaration = ({ prefix, name }: XmlAttribute): boolean => prefix === "xmlns" || name === "xmlns";

function splitAttributes(written: readonly XmlAttribute[], offset: number, limits: ReadingLimits): Split {
  // The reader goes on using an empty list.
  if (written.length === 0) return [nothing, nothing];
  let declarations: XmlAttribute[] | undefined;
  for (const attribute of written) {
    checkName(attribute, offset, limits);
    if (!isDeclaration(attribute)) continue;
    const { name, value } = attribute;
    if (!isNamespaceName(value))
      stop("X01", offset, `${name}="${value}" is no URI; a namespace is named by one`);
    (declarations ??= []).push(attribute);
  }
  if (declarations === undefined) return [written, nothing];
  return [written.filter((attribute) => !isDeclaration(attribute)), declarations];
}

/**
 * Keeps what rules look at: elements of the sitemap and ResourceSync namespaces, and of none. Where `takeEntry` is given,
 * each url or sitemap goes to it when it ends, and is not kept: so memory holds one entry at a time.
 */
export function growElementTree(
  limits: ReadingLimits,
  takeEntry?: (entry: XmlElement, root: XmlElement) => void,
): ElementTree {
  const open: GrowingElement[] = [];
  let elements = 0;
  let entries = 0;

  function count(element: XmlElement): void {
    elements += 1;
    if (elements > limits.elements) stop("W04", element.offset, `more than ${limits.elements} elements`);
    if (open.length !== 1 || !isEntry(element)) return;
    entries += 1;
    if (entries <= limits.entries) return;
    stop("X04", element.offset, `more than ${limits.entries} entries; divide them among several documents`);
  }

  const tree: ElementTree = {
    root: undefined,
    strays: [],
    open,
    lastClosed: undefined,
    begin(tag, offset, written) {
      // saxes takes quadratic time for deep nesting: this stops it in time.
      if (open.length >= limits.depth) {
        stop("W01", offset, `elements are nested more than ${limits.depth} deep`);
      }
      checkName(tag, offset, limits);
      const [attributes, declarations] = splitAttributes(written, offset, limits);
      const { name, local, uri: namespace } = tag;
      const parent = open.at(-1);
      const vocabulary = vocabularyOf(namespace, local, tree.root);
      const element: GrowingElement = {
        name,
        local,
        namespace,
        vocabulary,
        offset,
        parent,
        attributes,
        declarations,
        children: noChildren,
        foreignChildren: 0,
        text: "",
      };
      if (vocabulary !== "foreign") count(element);
      if (parent === undefined) tree.root = element;
      else if (vocabulary === "foreign") parent.foreignChildren += 1;
      else if (parent.vocabulary === "foreign") tree.strays.push(element);
      else addChild(parent, element);
      open.push(element);
    },
    addText(part) {
      const element = open.at(-1);
      if (element === undefined || element.vocabulary === "foreign") return;
      if ((element.text === "" || open.length <= levelsWithoutText) && isBlank(part)) return;
      element.text += part;
      if (element.text.length <= limits.valueLength) return;
      stop("W03", element.offset, `<${element.name}> has more than ${limits.valueLength} characters of text`);
    },
    end() {
      const ended = open.pop();
      tree.lastClosed = ended;
      if (takeEntry === undefined || ended === undefined) return;
      const root = open[0];
      if (root === undefined || open.length > 1 || !isEntry(ended)) return;
      root.children.pop();
      takeEntry(ended, root);
    },
    forgetLast() {
      open[0]?.children.pop();
    },
  };
  return tree;
}

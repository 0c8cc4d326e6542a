import { SaxesParser, type XMLDecl } from "saxes";
import { growElementTree } from "./element-tree.ts";
import { explainSyntaxError } from "./explain-syntax-error.ts";
import { readPlainXml } from "./read-plain-xml.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { ReadingStopped, type Refusal, stop } from "./refusal.ts";
import { watchedWriter } from "./watched-writer.ts";
import type { XmlAttribute, XmlElement } from "./xml-element.ts";

export interface XmlDocument {
  readonly root: XmlElement;
  /** Elements of ours inside foreign ones, where no rule would meet them. */
  readonly strays: readonly XmlElement[];
  /** The encoding that the document declares, where that is not UTF-8 but a part of it. */
  readonly narrowEncoding: string | undefined;
}

export type Reading =
  | { readonly kind: "read"; readonly document: XmlDocument }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Only the five of XML: saxes' own table inherits from Object, and so would know `&constructor;`. */
export const entities: Record<string, string> = { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" };
Object.setPrototypeOf(entities, null);

const asciiNames = new Set(["US-ASCII", "ASCII"]);

/** The declared encoding if it is a part of UTF-8 and the text keeps to it; stops at any other. */
export function narrowEncodingOf(text: string, { encoding }: XMLDecl): string | undefined {
  const name = encoding?.toUpperCase() ?? "UTF-8";
  if (name === "UTF-8") return undefined;
  // oxlint-disable-next-line no-control-regex -- ASCII is exactly this range
  if (asciiNames.has(name) && /^\uFEFF?[\u0000-\u007F]*$/.test(text)) return encoding;
  const says = `the document declares the encoding ${encoding}; send UTF-8, and declare encoding="UTF-8" or nothing`;
  return stop("X02", text.indexOf("encoding"), says);
}

/** Comments and processing instructions, whose text is none of the document's. */
const asides = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;

export function refuseDoctype(prolog: string): void {
  const at = prolog.replace(asides, (aside) => " ".repeat(aside.length)).indexOf("<!DOCTYPE");
  if (at === -1) return;
  stop("X03", at, "a DOCTYPE is refused, since entities can be used to attack readers; leave it out");
}

/** A target that ends in "?" without ">"; what may hold such text rightly is matched before it, to be passed over. */
const brokenTarget = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|(<\?[^\s?>]+\?(?!>))|<\?[\s\S]*?\?>/g;

/** saxes takes `<?a?b?>`; XML demands a space after the target (XML 1.0 §2.6). */
function refuseBrokenTargets(text: string): void {
  const last = text.lastIndexOf("<?");
  if (last === -1 || (last <= 1 && /^\uFEFF?<\?xml[ \t\r\n]/.test(text))) return;
  for (const match of text.matchAll(brokenTarget)) {
    if (match[1] !== undefined)
      stop("X01", match.index, `a space is missing after "${match[1].slice(0, -1)}"`);
  }
}

/** Reads one document, by the quicker of two ways: what is not plain goes to saxes. */
export function readXml(text: string, limits: ReadingLimits): Reading {
  const plain = readPlainXml(text, limits);
  if (plain !== undefined) return { kind: "read", document: { ...plain, narrowEncoding: undefined } };
  return readAnyXml(text, limits);
}

/** saxes says what is well-formed; what it leaves open is closed here and in the tree. */
export function readAnyXml(
  text: string,
  limits: ReadingLimits,
  takeEntry?: (entry: XmlElement, root: XmlElement) => void,
): Reading {
  const parser = new SaxesParser({
    xmlns: true,
    position: false, // only keeps positions out of saxes' messages
    defaultXMLVersion: "1.0",
    forceXMLVersion: true, // 1.x is read by the rules of 1.0 (XML 1.0 §2.8)
  });
  parser.ENTITIES = entities;
  const tree = growElementTree(limits, takeEntry);
  let narrowEncoding: string | undefined;
  let soundUntil = 0;
  let attributes: XmlAttribute[] = [];

  const beginOfTag = (): number => text.lastIndexOf("<", parser.position - 1);
  const takeText = (part: string): void => {
    tree.addText(part);
    soundUntil = parser.position - 1; // the "<" after the text is read already
  };
  // Not more than six handlers: with a seventh V8 turns the parser into a slow dictionary, five times slower.
  parser.on("attribute", (attribute) => {
    const { name, value } = attribute;
    if (attributes.push(attribute) > limits.attributes) {
      stop("W02", beginOfTag(), `more than ${limits.attributes} attributes on one element`);
    }
    if (value.length <= limits.valueLength) return;
    stop("W03", beginOfTag(), `the attribute "${name}" has more than ${limits.valueLength} characters`);
  });
  parser.on("opentag", (tag) => {
    const offset = beginOfTag();
    if (tree.root === undefined) {
      refuseDoctype(text.slice(0, offset));
      narrowEncoding = narrowEncodingOf(text, parser.xmlDecl);
    }
    tree.begin(tag, offset, attributes);
    if (attributes.length > 0) attributes = [];
    soundUntil = parser.position;
  });
  parser.on("closetag", () => {
    tree.end();
    soundUntil = parser.position;
  });
  parser.on("text", takeText);
  parser.on("cdata", takeText);
  parser.on("error", ({ message: complaint }) => {
    const at = Math.max(0, Math.min(parser.position, text.length) - 1);
    const { open, lastClosed } = tree;
    const { offset, says } = explainSyntaxError({ text, complaint, soundUntil, at, open, lastClosed });
    stop("X01", offset, says);
  });

  try {
    watchedWriter({
      write: (slice) => void parser.write(slice),
      heard: () => soundUntil + attributes.length,
      place: () => soundUntil,
    })(text);
    parser.close();
    refuseBrokenTargets(text);
  } catch (error) {
    if (error instanceof ReadingStopped) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
  const { root, strays } = tree;
  if (root === undefined) throw new Error("saxes ended without a root element");
  return { kind: "read", document: { root, strays, narrowEncoding } };
}

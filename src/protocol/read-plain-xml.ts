import { growElementTree } from "./element-tree.ts";
import { endOfPlainName, plainNameAt } from "./plain-names.ts";
import { PlainScopes } from "./plain-scopes.ts";
import { attributeValue, characterData, endOfValue } from "./plain-text.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { ReadingStopped } from "./refusal.ts";
import { maxQuiet } from "./watched-writer.ts";
import type { XmlAttribute, XmlElement } from "./xml-element.ts";
import { isBlank } from "./xml-names.ts";

export interface PlainDocument {
  readonly root: XmlElement;
  readonly strays: readonly XmlElement[];
}

const [exclamation, quote, apostrophe, slash, equals, closing] = [0x21, 0x22, 0x27, 0x2f, 0x3d, 0x3e];
const declined = -1;

const declaration = /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"UTF-8"|'UTF-8'|"utf-8"|'utf-8'))?\?>/;
/** A carriage return would have to be made a line feed; the rest is no XML, or may be none. */
const notPlain = /[^\t\n\x20-\uD7FF\uE000-\uFFFD]|\]\]>/;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09;

class PlainReader {
  readonly #text: string;
  readonly #limits: ReadingLimits;
  readonly #scopes = new PlainScopes();
  readonly tree: ReturnType<typeof growElementTree>;

  constructor(text: string, limits: ReadingLimits) {
    this.#text = text;
    this.#limits = limits;
    this.tree = growElementTree(limits);
  }

  /** Whether the text was read to its end. */
  read(): boolean {
    const text = this.#text;
    let at = declaration.exec(text)?.[0].length ?? 0;
    let quietSince = 0;
    for (;;) {
      const tag = text.indexOf("<", at);
      const endOfText = tag === -1 ? text.length : tag;
      if (!this.#takeText(at, endOfText)) return false;
      if (endOfText - quietSince > maxQuiet) return false;
      if (tag === -1) return this.tree.root !== undefined && this.tree.open.length === 0;
      if (tag > at && this.tree.open.length > 0) quietSince = tag;
      at = this.#takeMarkup(tag);
      if (at === declined || at - quietSince > maxQuiet) return false;
      if (text.charCodeAt(tag + 1) !== exclamation) quietSince = at;
    }
  }

  #takeText(start: number, end: number): boolean {
    if (start === end) return true;
    const part = characterData(this.#text.slice(start, end));
    if (part === undefined) return false;
    if (this.tree.open.length === 0) return isBlank(part);
    this.tree.addText(part);
    return true;
  }

  /** Each of these returns where it ends, or `declined`. */
  #takeMarkup(tag: number): number {
    const next = this.#text.charCodeAt(tag + 1);
    if (next === slash) return this.#endTag(tag);
    return next === exclamation ? this.#comment(tag) : this.#startTag(tag);
  }

  #comment(tag: number): number {
    if (!this.#text.startsWith("--", tag + 2)) return declined;
    const end = this.#text.indexOf("--", tag + 4);
    return end !== -1 && this.#text.charCodeAt(end + 2) === closing ? end + 3 : declined;
  }

  #endTag(tag: number): number {
    const element = this.tree.open.at(-1);
    if (element === undefined || !this.#text.startsWith(element.name, tag + 2)) return declined;
    const at = this.#skipSpace(tag + 2 + element.name.length);
    if (this.#text.charCodeAt(at) !== closing) return declined;
    this.#end();
    return at + 1;
  }

  #end(): void {
    this.tree.end();
    this.#scopes.leave();
  }

  #startTag(tag: number): number {
    const text = this.#text;
    if (this.tree.root !== undefined && this.tree.open.length === 0) return declined;
    const endOfName = endOfPlainName(text, tag + 1);
    if (endOfName === -1) return declined;
    const attributes: XmlAttribute[] = [];
    let at = endOfName;
    for (;;) {
      const next = this.#skipSpace(at);
      const code = text.charCodeAt(next);
      if (code === closing || code === slash) {
        at = next;
        break;
      }
      if (next === at || attributes.length === this.#limits.attributes) return declined;
      at = this.#attribute(next, attributes);
      if (at === declined) return declined;
    }
    const isEmpty = text.charCodeAt(at) === slash;
    if (isEmpty && text.charCodeAt(at + 1) !== closing) return declined;
    const { name, prefix, local } = plainNameAt(text, tag + 1, endOfName);
    const uri = this.#scopes.enter(prefix, attributes);
    if (uri === undefined) return declined;
    this.tree.begin({ name, prefix, local, uri }, tag, attributes);
    if (isEmpty) this.#end();
    return isEmpty ? at + 2 : at + 1;
  }

  #attribute(start: number, attributes: XmlAttribute[]): number {
    const text = this.#text;
    const endOfName = endOfPlainName(text, start);
    if (endOfName === -1 || text.charCodeAt(endOfName) !== equals) return declined;
    const mark = text.charCodeAt(endOfName + 1);
    if (mark !== quote && mark !== apostrophe) return declined;
    const end = endOfValue(text, endOfName + 2);
    if (end === -1) return declined;
    const value = attributeValue(text.slice(endOfName + 2, end));
    if (value === undefined || value.length > this.#limits.valueLength) return declined;
    const { name, prefix, local } = plainNameAt(text, start, endOfName);
    for (const other of attributes) if (other.name === name) return declined;
    attributes.push({ name, prefix, local, value, uri: "" });
    return end + 1;
  }

  #skipSpace(start: number): number {
    let at = start;
    while (isSpace(this.#text.charCodeAt(at))) at += 1;
    return at;
  }
}

const shortestElement = "<a/>".length;

/** More than so many elements need: saxes would refuse them, and a tree that was grown until then would be grown twice. */
function hasTooManyTags(text: string, elements: number): boolean {
  if (text.length <= elements * shortestElement) return false;
  let tags = 0;
  for (let at = text.indexOf("<"); at !== -1 && tags <= 2 * elements; at = text.indexOf("<", at + 1))
    tags += 1;
  return tags > 2 * elements;
}

/**
 * Reads what nearly all Sources write: no DOCTYPE, CDATA section, processing instruction or character reference, ASCII names,
 * attributes as XML serialisers set them. It takes a fourth of saxes' time. `undefined` at anything else, sound or not: then
 * saxes reads the document, and says what is wrong with it. What this takes, saxes reads as the same tree (a test compares).
 */
export function readPlainXml(text: string, limits: ReadingLimits): PlainDocument | undefined {
  if (notPlain.test(text) || hasTooManyTags(text, limits.elements)) return undefined;
  const reader = new PlainReader(text, limits);
  try {
    if (!reader.read()) return undefined;
  } catch (error) {
    if (error instanceof ReadingStopped) return undefined;
    throw error;
  }
  const { root, strays } = reader.tree;
  return root && { root, strays };
}

import type { XmlElement } from "./xml-element.ts";

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The places of `offsets`, which must not descend, in one walk through the text. */
export function placesOf(text: string, offsets: readonly number[]): Place[] {
  const lineBreak = /\r\n?|\n/g;
  // A byte order mark is no character of the first line.
  let lineStart = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  let next = lineBreak.exec(text);
  return offsets.map((offset) => {
    while (next !== null && lineBreak.lastIndex <= offset) {
      line += 1;
      lineStart = lineBreak.lastIndex;
      next = lineBreak.exec(text);
    }
    return { line, column: Math.max(1, offset - lineStart + 1) };
  });
}

const attributeShape = /([^\s=<>"'/]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** Where an attribute of `element` begins; the element itself where it has none of that name. */
export function offsetOf(text: string, element: XmlElement, attribute: string | undefined): number {
  if (attribute === undefined) return element.offset;
  const end = text.indexOf("<", element.offset + 1);
  const tag = text.slice(element.offset, end === -1 ? text.length : end);
  attributeShape.lastIndex = element.name.length + 1;
  for (let match = attributeShape.exec(tag); match !== null; match = attributeShape.exec(tag)) {
    if (match[1] === attribute) return element.offset + match.index;
  }
  return element.offset;
}

/** How many siblings of its name the element has before it, itself included. */
function ordinal(element: XmlElement): number {
  const { parent, name } = element;
  let count = 0;
  for (const sibling of parent?.children ?? []) {
    if (sibling.name === name) count += 1;
    if (sibling === element) break;
  }
  return count;
}

function stepTo(element: XmlElement): string {
  const { parent, name } = element;
  if (parent === undefined) return `/${name}`;
  const isEntry = parent.parent === undefined && element.vocabulary === "sitemap";
  const isOneOfSome =
    isEntry || parent.children.some((sibling) => sibling.name === name && sibling !== element);
  return isOneOfSome ? `/${name}[${ordinal(element)}]` : `/${name}`;
}

/** Such as `/urlset/url[3]/rs:md/@change`. */
export function pathOf(element: XmlElement, attribute?: string): string {
  let path = attribute === undefined ? "" : `/@${attribute}`;
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) path = stepTo(at) + path;
  return path;
}

/** Such as `url[3]`: the entry that the element is or stands in. */
export function entryNameOf(element: XmlElement): string | undefined {
  let at = element;
  while (at.parent?.parent !== undefined) at = at.parent;
  return at.parent === undefined || at.vocabulary !== "sitemap" ? undefined : stepTo(at).slice(1);
}

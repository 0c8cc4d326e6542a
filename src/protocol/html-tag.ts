import { entities } from "./read-xml.ts";

export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  /** Names in lower case; of a repeated attribute the first one counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The place behind its `>`. */
  readonly end: number;
}

const tagName = /<(\/?)([A-Za-z][^\s/>]*)/y;
const attributeName = /[\s/]*([^\s/>][^\s/>=]*)/y;
const equals = /\s*=\s*/y;
const bareValue = /[^\s>]*/y;
const closing = /[\s/]*>/y;

/** The tag that begins at `from`, as HTML's tokenizer reads it; `undefined` where none does, or it never ends. */
export function readHtmlTag(html: string, from: number): HtmlTag | undefined {
  const match = matchAt(tagName, html, from);
  if (match === null) return undefined;
  const attributes = new Map<string, string>();
  let at = tagName.lastIndex;
  for (;;) {
    if (matchAt(closing, html, at) !== null) {
      const name = (match[2] ?? "").toLowerCase();
      return { name, isEnd: match[1] === "/", attributes, end: closing.lastIndex };
    }
    const named = matchAt(attributeName, html, at);
    if (named === null) return undefined;
    const name = (named[1] ?? "").toLowerCase();
    const [value, end] = readValue(html, attributeName.lastIndex);
    if (end === -1) return undefined;
    if (!attributes.has(name)) attributes.set(name, withoutEscapes(value));
    at = end;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Answers -1 as the end where a quote is never closed: then the tag does not end, either. */
function readValue(html: string, from: number): readonly [value: string, end: number] {
  if (matchAt(equals, html, from) === null) return ["", from];
  const at = equals.lastIndex;
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, at + 1);
    return close === -1 ? ["", -1] : [html.slice(at + 1, close), close + 1];
  }
  const [value = ""] = matchAt(bareValue, html, at) ?? [];
  return [value, at + value.length];
}

/** The character references that stand in URLs. */
function withoutEscapes(value: string): string {
  return value.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));/g,
    (escape, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? escape;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : escape;
    },
  );
}

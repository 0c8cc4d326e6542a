import { resourceSyncNamespace } from "./xml-names.ts";
import type { XmlElement } from "./xml-element.ts";

/** What the parser knew when it gave up. */
export interface SyntaxErrorScene {
  readonly text: string;
  /** What saxes says. */
  readonly complaint: string;
  /** Everything before this offset was well-formed: the end of the last tag, comment or text. */
  readonly soundUntil: number;
  /** The character that saxes read last. */
  readonly at: number;
  /** Elements that are open, outermost first. */
  readonly open: readonly XmlElement[];
  /** The element that a closing tag has just ended, rightly or wrongly. */
  readonly lastClosed: XmlElement | undefined;
}

export interface Explanation {
  readonly offset: number;
  readonly says: string;
}

/** An `&` that begins no reference; what may hold one rightly is matched first, to be passed over. */
const asideOrAmpersand =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[?!][\s\S]*?(?:>|$)|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/g;
const namedReference = /&([A-Za-z_][\w.-]*);/y;

/** saxes reads on from a bare `&` to the next `;`, however far: look for the first one that begins no reference. */
function explainAmpersand({ text, soundUntil, at }: SyntaxErrorScene): Explanation | undefined {
  asideOrAmpersand.lastIndex = soundUntil;
  let match = asideOrAmpersand.exec(text);
  while (match !== null && match[0] !== "&") match = asideOrAmpersand.exec(text);
  if (match === null || match.index > at) return undefined;
  const offset = match.index;
  namedReference.lastIndex = offset;
  const name = namedReference.exec(text)?.[1];
  const says =
    name === undefined
      ? 'a bare "&"; write &amp;, in a URL too: ?a=1&amp;b=2'
      : `"&${name};" is unknown in XML; write the character itself, or &amp; for the "&"`;
  return { offset, says };
}

const nameOfUnclosed = /^unclosed tag: /;

function explainTags(scene: SyntaxErrorScene): Explanation | undefined {
  const { text, complaint, at, open, lastClosed } = scene;
  const closing = text.lastIndexOf("</", at);
  const closingName = /^<\/([^\s>]*)/.exec(text.slice(closing, closing + 200))?.[1] ?? "";
  const innermost = open.at(-1);
  if (nameOfUnclosed.test(complaint) && innermost !== undefined) {
    const says = `<${innermost.name}> begins here and never ends; the document stops before </${innermost.name}>`;
    return { offset: innermost.offset, says };
  }
  if (complaint === "unexpected close tag." && lastClosed !== undefined) {
    const says = `</${closingName}> ends here, but <${lastClosed.name}> is still open; write </${lastClosed.name}> first`;
    return { offset: closing, says };
  }
  if (complaint.startsWith("unmatched closing tag")) {
    return { offset: closing, says: `</${closingName}> ends an element that never began` };
  }
  const prefix = /^unbound namespace prefix: "(.*)"/.exec(complaint)?.[1];
  if (prefix === undefined) return undefined;
  const uri = prefix === "rs" ? resourceSyncNamespace : "…";
  const says = `the prefix "${prefix}" is not declared; write xmlns:${prefix}="${uri}" on the root element`;
  return { offset: text.lastIndexOf("<", at), says };
}

/** saxes' sentences that need more to be understood; the others are printed as they are. */
const clearer: readonly (readonly [complaint: RegExp, says: string])[] = [
  [/^document must contain a root element/, "the document holds no element; its root is urlset"],
  [/^text data outside of root node/, "text stands outside the root element"],
  [/^documents may contain only one root/, "a second root element; send one document at a time"],
  [
    /XML declaration must (be|appear) at the start/,
    "<?xml …?> may stand only at the very start, without a space or line before it",
  ],
  [/^unquoted attribute value/, "the value of an attribute stands in quotation marks"],
  [/^attribute without value/, 'an attribute has the form name="value"'],
  [/^no whitespace between attributes/, "a space is missing between two attributes"],
  [/^malformed character entity/, "this number names a character that XML does not allow"],
  [/^malformed comment/, 'two hyphens ("--") may not stand inside a comment'],
  [/^unexpected end/, "the document ends in the middle of something; was it cut off?"],
  [/^invalid attempt to undefine prefix/, "a namespace prefix may not be declared as empty"],
];

function nameOfCharacter(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  return code > 0x20 && code !== 0x7f
    ? `"${String.fromCodePoint(code)}"`
    : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Words and a place for a person, from what saxes says and where it stopped. */
export function explainSyntaxError(scene: SyntaxErrorScene): Explanation {
  const { text, complaint, at } = scene;
  const explained = explainAmpersand(scene) ?? explainTags(scene);
  if (explained !== undefined) return explained;
  if (complaint.startsWith("disallowed character")) {
    const where = complaint.replace(/^disallowed character\.?/, "").replace(/\.$/, "");
    return { offset: at, says: `the character ${nameOfCharacter(text, at)} is not allowed here${where}` };
  }
  const known = clearer.find(([pattern]) => pattern.test(complaint));
  return { offset: at, says: known?.[1] ?? complaint.replace(/\.$/, "") };
}

/** What may hold "<?" that begins no instruction, and how it ends. */
const asides = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
] as const;
const longestOpening = "<![CDATA[".length;

const isSpace = (character: string | undefined): boolean =>
  character === " " || character === "\n" || character === "\t" || character === "\r";

/** The first place from `at` on that ends a target; the length of the text where none does. */
function endOfTarget(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] !== "?" && !isSpace(text[end])) end += 1;
  return end;
}

/**
 * saxes takes `<?a?b?>`, and tells of it as of `<?a ?b?>`; XML demands a space after the target (XML 1.0 §2.6). Given a text
 * piece by piece, this answers the place in the piece behind such a target, where there is one; nothing may be given after it.
 */
export function watchInstructionTargets(): (piece: string) => number | undefined {
  /** The end of the last piece, where it may be the beginning of a mark. */
  let kept = "";
  /** What ends the comment, CDATA section or instruction that the last piece ended in. */
  let inside: string | undefined;

  return (piece) => {
    const text = kept + piece;
    const before = kept.length;
    const keepFrom = (place: number): undefined => {
      kept = text.slice(place);
    };
    let at = 0;
    for (;;) {
      if (inside !== undefined) {
        const end: number = text.indexOf(inside, at);
        if (end === -1) return keepFrom(Math.max(at, text.length - inside.length + 1));
        at = end + inside.length;
        inside = undefined;
      }
      const mark = text.indexOf("<", at);
      if (mark === -1) return keepFrom(text.length);
      if (text[mark + 1] === "?") {
        const end = endOfTarget(text, mark + 2);
        if (end >= text.length - 1) return keepFrom(mark);
        if (text[end] === "?" && text[end + 1] !== ">") return end + 1 - before;
        inside = "?>";
        at = end;
        continue;
      }
      const aside = asides.find(([opening]) => text.startsWith(opening, mark));
      if (aside === undefined && text.length - mark < longestOpening) return keepFrom(mark);
      inside = aside?.[1];
      at = mark + (aside?.[0].length ?? 1);
    }
  };
}

import type { SaxesParser } from "saxes";
import { watchInstructionTargets } from "./instruction-targets.ts";
import { narrowEncodingOf, refuseDoctype } from "./read-xml.ts";
import { stop } from "./refusal.ts";

/** What saxes leaves open, for readers of text that comes in pieces; readAnyXml sees it in the whole text. */
export function createPiecewiseText(write: (text: string) => void) {
  const endOfBrokenTarget = watchInstructionTargets();
  /** What came before the root element was open, and with it. */
  let beginning: string | undefined = "";
  let narrowEncoding: string | undefined;

  return {
    /** Gives the parser a piece as far as it is sound, so that the parser's place is that of the fault. */
    write(piece: string): void {
      if (beginning !== undefined) beginning += piece;
      if (narrowEncoding !== undefined) narrowEncodingOf(piece, { encoding: narrowEncoding });
      const end = endOfBrokenTarget(piece);
      write(end === undefined ? piece : piece.slice(0, end));
      if (end !== undefined) stop("X01", 0, "a space is missing after the target of an instruction");
    },
    /** To be called as the root element opens. */
    rootOpened({ xmlDecl, position }: Pick<SaxesParser, "xmlDecl" | "position">): void {
      const text = beginning ?? "";
      beginning = undefined;
      refuseDoctype(text.slice(0, text.lastIndexOf("<", position - 1)));
      narrowEncoding = narrowEncodingOf(text, xmlDecl);
    },
  };
}

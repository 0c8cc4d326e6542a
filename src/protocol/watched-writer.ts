import { stop } from "./refusal.ts";

/** Characters that may go by without an element, attribute or text that is told of; a slice more may pass before it shows. */
export const maxQuiet = 1_048_576;
const sliceLength = 262_144;

interface Watched {
  readonly write: (text: string) => void;
  /** A number that changes with everything that the parser tells of. */
  readonly heard: () => number;
  /** Where the document was when the parser last told of anything. */
  readonly place?: () => number;
}

/**
 * Gives a parser its text in slices, and stops where a comment, instruction, CDATA section, tag or run of white space does not
 * end. saxes keeps what it has begun in pieces of a few characters: 50 MB of hyphens in a comment took 1.4 GB.
 */
export function watchedWriter({ write, heard, place = () => 0 }: Watched): (text: string) => void {
  let quiet = 0;
  let before = heard();
  return (text) => {
    for (let at = 0; at < text.length; at += sliceLength) {
      const slice = text.length <= sliceLength ? text : text.slice(at, at + sliceLength);
      write(slice);
      const now = heard();
      quiet = now === before ? quiet + slice.length : 0;
      before = now;
      if (quiet > maxQuiet) {
        stop(
          "W03",
          place(),
          `more than ${maxQuiet} characters without an element, an attribute or a text that ends`,
        );
      }
    }
  };
}

/** V8 keeps a whole document for as long as somebody keeps a piece cut out of it: what outlives the document is to be a copy. */
export function copiedText(piece: string): string {
  // Cutting makes V8 write the joined text out first: the piece then holds on to that alone, which is a character longer.
  return ` ${piece}`.slice(1);
}

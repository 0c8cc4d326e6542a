/** V8 keeps a whole document for as long as somebody keeps a piece cut out of it: what outlives the document is to be a copy. */
export function copiedText(piece: string): string {
  return Buffer.from(piece, "utf8").toString("utf8");
}

const references: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};
const reference = /&(?:amp|lt|gt|quot|apos);/g;
const unknownReference = /&(?!(?:amp|lt|gt|quot|apos);)/;

/** With the five references of XML (XML 1.0 §4.6) resolved; `undefined` where there is another one. */
export function characterData(written: string): string | undefined {
  if (!written.includes("&")) return written;
  if (unknownReference.test(written)) return undefined;
  return written.replace(reference, (found) => references[found] ?? found);
}

/** What may end a value. */
const special = new Uint8Array(128);
for (const character of "\"'<") special[character.charCodeAt(0)] = 1;
const lessThan = 0x3c;

/** Where the value ends that begins behind its quotation mark at `start`; -1 where it does not, or holds a `<`. */
export function endOfValue(text: string, start: number): number {
  const mark = text.charCodeAt(start - 1);
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (special[code] === 1 && (code === mark || code === lessThan)) return code === mark ? at : -1;
  }
  return -1;
}

const toRead = /[&\n\t]/;

/** White space in a value is read as a space (XML 1.0 §3.3.3), before references are resolved. */
export function attributeValue(written: string): string | undefined {
  return toRead.test(written) ? characterData(written.replace(/[\t\n]/g, " ")) : written;
}

/** What may begin a name, and what may follow there, of the ASCII characters: letters, the underscore; digits, dot, hyphen. */
const letters = new Uint8Array(128);
const further = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") {
  letters[character.charCodeAt(0)] = 1;
  further[character.charCodeAt(0)] = 1;
}
for (const character of "0123456789.-") further[character.charCodeAt(0)] = 1;

const colon = 0x3a;

export interface PlainName {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
}

/** Where the name ends that begins at `start`, with at most one colon in it; -1 where there is none, or one beyond ASCII. */
export function endOfPlainName(text: string, start: number): number {
  if (letters[text.charCodeAt(start)] !== 1) return -1;
  let at = start + 1;
  while (further[text.charCodeAt(at)] === 1) at += 1;
  if (text.charCodeAt(at) !== colon) return at;
  at += 1;
  if (letters[text.charCodeAt(at)] !== 1) return -1;
  while (further[text.charCodeAt(at)] === 1) at += 1;
  return text.charCodeAt(at) === colon ? -1 : at;
}

/** As V8 keeps the names in our own code: comparing two of these is comparing two addresses. It is a copy, too. */
const internalised = (text: string): string => Object.keys({ [text]: true })[0] ?? text;

/** Documents have the same few names: each is cut out once. */
const places = 256;
const known: (PlainName | undefined)[] = Array.from({ length: places });
const maxLength = 40;

/** Of the names that one document of ResourceSync has, no two share a place. */
function placeOf(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) * 7 + text.charCodeAt(end - 1) * 31 + (end - start) * 67) % places;
}

export function plainNameAt(text: string, start: number, end: number): PlainName {
  const place = placeOf(text, start, end);
  const found = known[place];
  if (found?.name.length === end - start && text.startsWith(found.name, start)) return found;
  const written = text.slice(start, end);
  const name = written.length <= maxLength ? internalised(written) : written;
  const at = name.indexOf(":");
  const made = {
    name,
    prefix: at === -1 ? "" : internalised(name.slice(0, at)),
    local: at === -1 ? name : internalised(name.slice(at + 1)),
  };
  if (name.length <= maxLength) known[place] = made;
  return made;
}

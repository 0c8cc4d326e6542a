/** A value has a character that XML has no way to write (XML 1.0 §2.2). */
export class CannotBeWritten extends Error {
  override name = "CannotBeWritten";
  readonly mayRetry = false;
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/u;
/** Nearly everything that is written; the rest is looked at closely. */
const plain = /^[ !#-%(-;=?-~\u00a0-\ud7ff]*$/;
const special = /[&<>"'\t\n\r]/g;
const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text or the value of an attribute, in double quotes. Throws `CannotBeWritten`. */
export function escapeXml(text: string): string {
  if (plain.test(text)) return text;
  const bad = unwritable.exec(text)?.[0];
  if (bad === undefined) return text.replace(special, (character) => references[character] ?? character);
  const code = bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw new CannotBeWritten(
    `U+${code} in ${JSON.stringify(text.slice(0, 80))} cannot stand in XML; remove it`,
  );
}

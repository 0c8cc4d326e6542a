import { isUtf8 } from "node:buffer";
import { defaultLimits } from "../../src/protocol/reading-limits.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";

/** As it is declared; `undefined` where it is not. A byte order mark shows as three characters of Latin-1. */
const declaredEncoding = (text: string): string | undefined =>
  /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];

/** UTF-16, UTF-32 and EBCDIC are known by their first bytes (XML 1.0 appendix F). */
const otherBeginning = /^(?:[^]?\0|\xfe\xff|\xff\xfe|\x4c\x6f\xa7\x94)/;

const isInAnotherEncoding = (document: Uint8Array, text: string): boolean =>
  !isUtf8(document) ||
  otherBeginning.test(text) ||
  (declaredEncoding(text) ?? "UTF-8").toUpperCase() !== "UTF-8";

/** Whether what the rule says can be seen in the document: so that no reader refuses what it should read and goes unseen. */
export function isExcused(rule: string, document: Uint8Array): boolean {
  const text = Buffer.from(document).toString("latin1");
  switch (rule) {
    case "X02":
      return isInAnotherEncoding(document, text);
    case "X03":
      return text.includes("<!DOCTYPE");
    case "X05":
      return document.length > defaultLimits.bytes;
    case "W01":
      return text.split("<").length > defaultLimits.depth;
    case "W02":
      return text.split("=").length > defaultLimits.attributes;
    case "W03":
      return document.length > defaultLimits.nameLength;
    case "X04":
    case "W04":
      return text.split("<").length > 50_000;
    // The root is none of ResourceSync's: the validator, which reads on, must say the same.
    case "N02":
      return validateDocument(document).faults.some((fault) => fault.rule === "N02");
    default:
      return false;
  }
}

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const resolved = (value: string): string =>
  value.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hex: string, decimal: string, name: string) => {
    if (name !== undefined) return references[name] ?? "";
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });

const reservedNames = ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/", ""];

/** RFC 3986 §4.1, with letters of every language; as far as a port goes. */
const uriReference =
  /^(?:[a-z][a-z\d+.-]*:|(?![^/?#]*:))(?:\/\/[^/?#:]*(?::\d*)?(?=[/?#]|$)|(?!\/\/))(?:[^\s<>"{}|\\^`%#[\]]|%[\da-f]{2})*(?:#[^\s<>"{}|\\^`%#[\]]*)?$/i;

/** What namespaces are called by references, resolved. */
const namesByReference = (text: string): string[] =>
  [...text.matchAll(/xmlns[^=<>]*=\s*(["'])([^"']*&[^"']*)\1/g)].map(([, , value = ""]) =>
    resolved(value).trim(),
  );

/** A namespace's name is looked at before the references in it are resolved: reserved ones, and what is no URI, are not seen. */
const hasHiddenName = (text: string): boolean =>
  namesByReference(text).some((name) => reservedNames.includes(name) || !uriReference.test(name));

/** For the same reason libxml2 takes `&amp;` in it for `&#38;`: with a fragment behind it, that has two. */
export function isRefusedWronglyByLibxml2(document: Uint8Array): boolean {
  const names = namesByReference(Buffer.from(document).toString("latin1"));
  return names.some((name) => /&.*#/.test(name) && uriReference.test(name));
}

/** Where libxml2 (2.9.14) is more lenient than the standards are. */
export function isTakenWronglyByLibxml2(document: Uint8Array): boolean {
  const text = Buffer.from(document).toString("latin1");
  // A NUL behind the root element ends the file.
  if (/>[ \t\r\n]*\0/.test(text)) return true;
  // Versions are not looked at closely (XML 1.0 §2.8).
  if (/^(?:\xef\xbb\xbf)?<\?xml\s+version\s*=\s*["']1\.["']/.test(text)) return true;
  // Behind a byte order mark, no space is wanted before "standalone" (XML 1.0 §2.9).
  if (/^\xef\xbb\xbf<\?xml[^>]*["']standalone/.test(text)) return true;
  return hasHiddenName(text);
}

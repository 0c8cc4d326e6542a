export const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
export const resourceSyncNamespace = "http://www.openarchives.org/rs/terms/";
export const schemaInstanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";

const simplified = (uri: string): string =>
  uri
    .trim()
    .toLowerCase()
    .replace(/^https:/, "http:")
    .replace(/[/#]+$/, "");

/** A misspelt namespace: another scheme or case, a slash too many or too few, spaces around. */
export function nearlyIs(uri: string, namespace: string): boolean {
  if (uri === sitemapNamespace || uri === resourceSyncNamespace) return false;
  return uri !== namespace && simplified(uri) === simplified(namespace);
}

const firstOfNcName =
  /^(?:\u200C|\u200D|[A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}])/u;

/** Whether the part after a prefix begins as Namespaces in XML demands; saxes looks only at its other characters. */
export function beginsAsLocalName(local: string): boolean {
  const first = local.charCodeAt(0);
  if (first >= 0x61 && first <= 0x7a) return true;
  return firstOfNcName.test(local);
}

const character = "(?:[\\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const beforeColon = character.replace(":@", "@");
const host = "(?:\\[[0-9A-Fa-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)";
const authority = `(?:${character}*@)?${host}(?::\\d{1,5})?`;
const segments = `(?:/${character}*)*`;
const rooted = `//${authority}${segments}|/(?:${character}+${segments})?`;
const uriReference = new RegExp(
  `^(?:[A-Za-z][A-Za-z0-9+.-]*:(?:${rooted}|${character}+${segments})?|${rooted}|${beforeColon}+${segments})?` +
    `(?:\\?(?:${character}|[/?])*)?(?:#(?:${character}|[/?])*)?$`,
);

/** A namespace name is a URI reference (Namespaces in XML §2.1, RFC 3986 §4.1); saxes takes any text, and trims it. */
export function isNamespaceName(text: string): boolean {
  return text === sitemapNamespace || text === resourceSyncNamespace || uriReference.test(text);
}

const notBlank = /[^ \t\r\n]/;

/** Nothing but white space as XML knows it: a no-break space is not. */
export function isBlank(text: string): boolean {
  return !notBlank.test(text);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;

/** Without white space around it. No regular expression: `\s+$` takes quadratic time for long runs inside. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

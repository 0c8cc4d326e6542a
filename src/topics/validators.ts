import type { FetchedTopic } from "./topic-elsewhere.ts";

export type Validators = NonNullable<FetchedTopic["validators"]>;

const maxLength = 1024;

/** Of an answer; `null` where it has none that can be relied upon. */
export function validatorsOf(
  url: string,
  headers: Readonly<Record<string, string | undefined>>,
): Validators | null {
  const etag = headers["etag"];
  if (etag !== undefined && etag !== "" && etag.length <= maxLength) return { url, etag, lastModified: null };
  const lastModified = headers["last-modified"];
  const [modified, sent] = [Date.parse(lastModified ?? ""), Date.parse(headers["date"] ?? "")];
  // In the second in which it was made, a document can change again and keep its Last-Modified (RFC 9110 §8.8.2.2).
  if (lastModified === undefined || !(modified + 1000 <= sent)) return null;
  return { url, etag: null, lastModified };
}

/** They belong to the URL that they came from: what a redirect leads to by now may be another document with the same ETag. */
export function validatorHeaders(validators: Validators | null, url: string): Record<string, string> {
  if (validators === null || validators.url !== url) return {};
  const { etag, lastModified } = validators;
  if (etag !== null) return { "if-none-match": etag };
  return lastModified === null ? {} : { "if-modified-since": lastModified };
}

import { createReadStream } from "node:fs";

/** A document, or why there is none: words that end a sentence beginning with its name. */
export type SourceBytes =
  { readonly kind: "bytes"; readonly bytes: Uint8Array } | { readonly kind: "unread"; readonly why: string };

const fetchTimeout = 30_000; // milliseconds
/** One byte more than a document may have, so that the reader can say that it is too large (ResourceSync 1.1 §7). */
const maxBytes = 52_428_801;

const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "that is a directory",
  EACCES: "may not be read by this user",
  ECONNREFUSED: "nothing answers there",
  ENOTFOUND: "there is no such host",
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${fetchTimeout / 1000} seconds`;
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return words[code] ?? error.message;
}

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

async function fetchDocument(url: string): Promise<SourceBytes> {
  const response = await fetch(url, {
    headers: { accept: "application/xml, text/xml;q=0.9, */*;q=0.1" },
    signal: AbortSignal.timeout(fetchTimeout),
  });
  if (!response.ok) {
    await response.body?.cancel();
    return { kind: "unread", why: `the server answers ${response.status} ${response.statusText}`.trim() };
  }
  return { kind: "bytes", bytes: response.body === null ? new Uint8Array() : await gather(response.body) };
}

/** Reads what the user named: a file, an http(s) URL, or `-` for standard input. */
export async function readSource(name: string): Promise<SourceBytes> {
  try {
    if (/^https?:\/\//i.test(name)) return await fetchDocument(name);
    return { kind: "bytes", bytes: await gather(name === "-" ? process.stdin : createReadStream(name)) };
  } catch (error) {
    return { kind: "unread", why: reasonOf(error) };
  }
}

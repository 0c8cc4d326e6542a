import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureVersion } from "node:tls";

export interface TlsSettings {
  /** Of files in PEM: the certificate with those between it and the authority, and its private key. */
  readonly cert: string;
  readonly key: string;
  readonly min: "1.2" | "1.3";
}

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: SecureVersion;
}

/** Certificate and key cannot be read, or do not belong together. */
class BadCertificate extends Error {
  override name = "BadCertificate";
  readonly mayRetry = false;
}

/** Throws `BadCertificate`. */
export async function readTlsFiles({ cert, key, min }: TlsSettings): Promise<TlsFiles> {
  const files = {
    cert: await read("tls.cert", cert),
    key: await read("tls.key", key),
    minVersion: ({ "1.2": "TLSv1.2", "1.3": "TLSv1.3" } as const)[min],
  };
  try {
    createSecureContext(files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadCertificate(
      `The certificate ${cert} and the key ${key} cannot be used: ${reason}. Both are PEM files; the certificate is that of the key.`,
      { cause: error },
    );
  }
  return files;
}

async function read(setting: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadCertificate(`${setting} cannot be read: ${reason}.`, { cause: error });
  }
}

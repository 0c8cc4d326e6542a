import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** In PEM, for a client that is to trust it. */
  readonly ca: string;
}

/** Made by `openssl`, for 127.0.0.1; files of the same name are written over. */
export function writeCertificate(directory: string, name = "hub"): Certificate {
  const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];
  const subject = [
    "-subj",
    `/CN=${name}-${crypto.randomUUID().slice(0, 8)}`,
    "-addext",
    "subjectAltName=IP:127.0.0.1",
  ];
  execFileSync("openssl", ["req", "-x509", ...ec, ...subject, "-days", "2", "-keyout", key, "-out", cert], {
    stdio: "pipe",
  });
  return { cert, key, ca: readFileSync(cert, "utf8") };
}

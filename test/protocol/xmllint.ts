import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const atOnce = 400;

function complaintsAbout(files: readonly string[], directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, maxBuffer: 256 * 1024 * 1024, encoding: "latin1" } as const;
    execFile("xmllint", ["--noout", "--nonet", ...files], options, (error, _, stderr) => {
      // It ends with a status of its own where a document is ill-formed; only a failure to start is one of the test.
      if (error !== null && error.code === "ENOENT")
        reject(new Error("xmllint is not on the PATH", { cause: error }));
      else resolve(stderr);
    });
  });
}

/** An element may be named between place and verdict; warnings and questions of validity are no refusal. */
const refusal = /^d(\d+)\.xml:\d+: (?:[^\n]*?: )?(?:parser|namespace|encoding) error/gm;

/** Which of the documents libxml2 refuses, by XML 1.0 and Namespaces in XML: their places in the list. */
export async function refusedByXmllint(documents: readonly Uint8Array[]): Promise<Set<number>> {
  const directory = await mkdtemp(join(tmpdir(), "hub-xmllint-"));
  try {
    const refused = new Set<number>();
    for (let first = 0; first < documents.length; first += atOnce) {
      const batch = documents.slice(first, first + atOnce);
      const names = batch.map((_, at) => `d${first + at}.xml`);
      await Promise.all(batch.map((bytes, at) => writeFile(join(directory, names[at]!), bytes)));
      const stderr = await complaintsAbout(names, directory);
      for (const match of stderr.matchAll(refusal)) refused.add(Number(match[1]));
    }
    return refused;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * `npm run fuzz`: documents that are wrong in ways nobody thought of, held against every reader of ours and against libxml2.
 *
 *   --minutes N   how long (1)     --seed N   where to begin (the time); a seed that was printed shows the same again
 */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { mutants } from "./mutate.ts";
import { originals } from "./originals.ts";
import { fuzzRound } from "./round.ts";
import { wellFormedDocument } from "./well-formed.ts";

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const until = Date.now() + Number(values.minutes ?? 1) * 60_000;
const first = values.seed === undefined ? Date.now() % 0x7fffffff : Number(values.seed);
const perRound = 1000;

let seed = first;
let documents = 0;
for (; Date.now() < until && process.exitCode === undefined; seed += 1) {
  const made = fc
    .sample(wellFormedDocument, { seed, numRuns: perRound / 10 })
    .map((text) => Buffer.from(text));
  const round = [...made, ...mutants([...originals, ...made.slice(0, 10)], seed, perRound)];
  const findings = await fuzzRound(round);
  documents += round.length;
  if (findings.length === 0) continue;
  const folder = await mkdtemp(join(tmpdir(), "hub-fuzz-"));
  for (const [at, { what, document }] of findings.entries()) {
    const file = join(folder, `${at}.xml`);
    await writeFile(file, document);
    process.stdout.write(`${what}: ${file}\n`);
  }
  process.stdout.write(`npm run fuzz -- --seed ${seed} shows it again\n`);
  process.exitCode = 1;
}
process.stdout.write(`${documents} documents from seed ${first} on\n`);

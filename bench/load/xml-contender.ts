/** Reads documents in a process of its own, whose memory is its own: `xml-contender.ts ours|saxes|fast-xml-parser`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type * as library from "../../src/index.ts";
import { barePass } from "../baselines/saxes-pass.ts";
import { answer, usageOf } from "../harness/child.ts";

type Reading = (bytes: Buffer) => void;

async function ours(): Promise<Reading> {
  // As a user imports it: the built one.
  const built = join(import.meta.dirname, "../../dist/index.js");
  const { validateDocument }: typeof library = await import(built);
  return (bytes) => {
    const { valid, faults } = validateDocument(bytes);
    if (!valid) throw new Error(`the document is not valid: ${faults[0]?.message}`);
  };
}

const contenders: Record<string, () => Promise<Reading>> = {
  ours,
  saxes: async () => (bytes) => void barePass(bytes.toString("utf8")),
  "fast-xml-parser": async () => (bytes) => {
    const text = bytes.toString("utf8");
    if (XMLValidator.validate(text) !== true) throw new Error("the document is not well-formed");
    new XMLParser({ ignoreAttributes: false }).parse(text);
  },
};

const start = contenders[process.argv[2] ?? ""];
if (start === undefined) throw new Error("which contender?");
const read = await start();

const handlers = {
  /** Megabytes a second, over at least so many milliseconds. */
  async rate({ file, milliseconds }: { file: string; milliseconds: number }): Promise<number> {
    const bytes = await readFile(file);
    const run = (atLeast: number): number => {
      const began = performance.now();
      let times = 0;
      while (performance.now() - began < atLeast) {
        read(bytes);
        times += 1;
      }
      return (times * bytes.length) / 1000 / (performance.now() - began);
    };
    run(milliseconds / 4);
    return run(milliseconds);
  },
  /** The largest memory while one document is read, the document included, beyond that of the process before. Bytes. */
  async peak({ file }: { file: string }): Promise<number> {
    const { resident } = await usageOf(process.pid);
    read(await readFile(file));
    return process.resourceUsage().maxRSS * 1024 - resident;
  },
};
export type XmlContender = typeof handlers;
answer(handlers);

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, inRounds, type Settings } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { notification } from "./harness/notification.ts";
import { resourceList } from "./harness/resource-list.ts";
import type { Row } from "./harness/row.ts";
import { fileOf } from "./harness/server.ts";
import type { XmlContender } from "./load/xml-contender.ts";

const names = ["ours", "saxes", "fast-xml-parser"] as const;
const bare = "a bare saxes pass";
const parser = "fast-xml-parser";

async function rate(name: string, file: string, { isQuick }: Settings): Promise<number> {
  await using contender = await startChild<XmlContender>(fileOf("load/xml-contender.ts"), [name]);
  return await contender.ask("rate", { file, milliseconds: isQuick ? 200 : 3000 });
}

async function peak(name: string, file: string): Promise<number> {
  await using contender = await startChild<XmlContender>(fileOf("load/xml-contender.ts"), [name]);
  return (await contender.ask("peak", { file })) / 1e6;
}

async function ratesOf(title: string, file: string, settings: Settings): Promise<Row> {
  const [ours, saxes, fast] = names.map((name) => () => rate(name, file, settings));
  if (ours === undefined || saxes === undefined || fast === undefined) throw new Error("three contenders");
  const figures = await inRounds(settings.rounds, { ours, saxes, fast });
  return {
    name: `${title}: full validation`,
    unit: "MB/s",
    ours: figures.ours,
    baselines: { [bare]: figures.saxes, [`${parser}, validate and parse`]: figures.fast },
    targets: [
      { baseline: bare, atLeast: 0.6 },
      { baseline: `${parser}, validate and parse`, atLeast: 2 },
    ],
  };
}

async function memoryOf(title: string, file: string, bytes: number, settings: Settings): Promise<Row> {
  const figures = await inRounds(settings.rounds, {
    ours: () => peak("ours", file),
    saxes: () => peak("saxes", file),
  });
  const document = "the document itself";
  return {
    name: `${title}: peak memory`,
    unit: "MB",
    ours: figures.ours,
    baselines: { [document]: figures.ours.map(() => bytes / 1e6), [bare]: figures.saxes },
    targets: [{ baseline: document, atMost: 3 }],
  };
}

/** The built validator on bytes, each contender in a process of its own. */
export const validate: Bench = {
  about: "documents held against every rule, from their bytes",
  async run(settings) {
    const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
    try {
      const put = async (name: string, bytes: Buffer): Promise<string> => {
        const file = join(directory, name);
        await writeFile(file, bytes);
        return file;
      };
      const entries = settings.isQuick ? 2000 : 50_000;
      const many = resourceList(entries, 100);
      const large = resourceList(entries, 1150);
      const size = (bytes: Buffer): string => `${Math.round(bytes.length / 1e5) / 10} MB`;
      const count = entries.toLocaleString("en");
      return [
        await ratesOf("2 KB notification", await put("small.xml", notification(1)), settings),
        await ratesOf(`${size(many)}, ${count} entries`, await put("many.xml", many), settings),
        await memoryOf(
          `${size(large)}, ${count} entries`,
          await put("large.xml", large),
          large.length,
          settings,
        ),
      ];
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { machineOf, readResults, type Results } from "./results.ts";
import { figure, verdict } from "./table.ts";

const page = join(import.meta.dirname, "../../docs/performance.md");
const begin = "<!-- figures: written by `npm run bench -- --write-docs`, not by hand -->";
const end = "<!-- end of figures -->";

function sectionOf(results: Results): string {
  const { name, about, at, rounds, rows } = results;
  const lines = rows.flatMap((row) => {
    const own = row.targets.find(({ baseline }) => baseline === undefined);
    const head = `| ${row.name} | ${figure(row.ours)} ${row.unit} | | | ${row.spread.toFixed(2)} | ${own === undefined ? "" : verdict(own, row.unit)} |`;
    const beside = Object.entries(row.baselines).map(([baseline, { median, ratio }]) => {
      const target = row.targets.find((one) => one.baseline === baseline);
      const judged = target === undefined ? "" : verdict(target, row.unit);
      return `| | | ${baseline}: ${figure(median)} | ${ratio.toFixed(2)} | | ${judged} |`;
    });
    return [head, ...beside];
  });
  return `### ${name}

${about[0]?.toUpperCase()}${about.slice(1)}. ${at.slice(0, 10)}, medians of ${rounds}, ${machineOf(results)}.

| what | ours | baseline | ratio | spread | to reach |
| --- | ---: | ---: | ---: | ---: | --- |
${lines.join("\n")}
`;
}

/** Puts what lies in bench/results into docs/performance.md, in the place that is marked there. */
export async function writePerformancePage(): Promise<void> {
  const text = await readFile(page, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the figures`);
  const results = [...(await readResults()).values()];
  const sections = results.map(sectionOf);
  const figures = sections.length === 0 ? "No figures have been written yet.\n" : sections.join("\n");
  const written = await format(`${before}${begin}\n\n${figures}\n${end}${after}`, {
    parser: "markdown",
    printWidth: 110,
  });
  await writeFile(page, written);
  console.log(`${results.length} benches written to docs/performance.md`);
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { type EngineName, faultNames, kindOf } from "./fault-kinds.ts";
import { type Counted, readResults, type SavedResults } from "./results.ts";

const page = join(import.meta.dirname, "../../docs/reliability.md");
const marks = {
  faults: "faults: written by `npm run test:faults -- --write-docs`, not by hand",
  results: "results: written by `npm run test:faults -- --write-docs`, not by hand",
} as const;
const engines: readonly EngineName[] = ["embedded", "redis"];

const number = (value: number): string => value.toLocaleString("en");

function faultTable(): string {
  const rows = faultNames.map(
    (name) => `| \`${name}\` | ${kindOf(name).what} | ${kindOf(name).engines.join(", ")} |`,
  );
  return ["| fault | what happens | engine |", "| --- | --- | --- |", ...rows].join("\n");
}

const countedRow = (
  name: string,
  { rounds, notifications, deliveries, lost, disordered, ...rest }: Counted,
): string =>
  `| ${[name, rounds, notifications, deliveries, lost, disordered, rest.repeats, rest.otherViolations].map((cell) => (typeof cell === "number" ? number(cell) : cell)).join(" | ")} |`;

function sectionOf({
  engine,
  at,
  seed,
  rounds,
  failed,
  turnedAway,
  slowestStart,
  total,
  byFault,
}: SavedResults): string {
  const rows = Object.entries(byFault).map(([name, counted]) => countedRow(`\`${name}\``, counted));
  return `### ${engine}

\`npm run test:faults -- --engine ${engine} --rounds ${rounds} --seed ${seed}\`, ${at.slice(0, 10)}: ${number(rounds - failed)} of ${number(rounds)}
rounds hold. Publishers were turned away with 503 ${number(turnedAway)} times, and sent again. The slowest start of a hub took ${(slowestStart / 1000).toFixed(1)} s.

| fault | rounds | notifications | deliveries | lost | out of order | repeats within the bound | other violations |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${[...rows, countedRow("all", total)].join("\n")}
`;
}

function replaced(text: string, mark: string, content: string): string {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- end of ${mark.split(":")[0]} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for ${mark}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}

/** What the page says of an engine already. */
function keptSection(text: string, engine: EngineName): string | undefined {
  const written = text.split(`<!-- ${marks.results} -->`)[1]?.split("<!-- end of results -->")[0] ?? "";
  return written.split(/^(?=### )/m).find((section) => section.startsWith(`### ${engine}\n`));
}

/** The page with the kinds of faults, and with what the last runs came to; a section stays as it is where there is no result. */
export function withResults(text: string, results: readonly SavedResults[]): string {
  const sections = engines.flatMap((engine) => {
    const result = results.find((one) => one.engine === engine);
    return result === undefined ? (keptSection(text, engine)?.trimEnd() ?? []) : sectionOf(result).trimEnd();
  });
  const content = sections.length === 0 ? "Nothing has been run yet." : sections.join("\n\n");
  return replaced(replaced(text, marks.faults, faultTable()), marks.results, content);
}

/** Puts them into docs/reliability.md, in the places that are marked there. */
export async function writeReliabilityPage(): Promise<void> {
  const results = (await Promise.all(engines.map(readResults))).filter((one) => one !== undefined);
  const written = withResults(await readFile(page, "utf8"), results);
  await writeFile(page, await format(written, { parser: "markdown", printWidth: 110 }));
}

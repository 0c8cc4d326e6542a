import { stripVTControlCharacters } from "node:util";

/** Where progress is shown: a terminal, or a file that keeps every line. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** `known` may grow while it goes on. */
  show(done: number, known: number, label: string): void;
  /** Takes the bar away, so that something else can be printed; the next `show` brings it back. */
  clear(): void;
}

const barWidth = 24;
/** Where there is no terminal, a line for every so many steps. */
const stepsToALine = 25;

/** One line that is redrawn on a terminal; elsewhere a plain line now and then. */
export function createProgressBar(output: ProgressOutput): ProgressBar {
  const { isTTY = false } = output;
  let shown = false;
  const clear = (): void => {
    if (shown) output.write("\r\u001B[2K");
    shown = false;
  };
  return {
    clear,
    show(done, known, label) {
      const count = `${done} of ${known}`;
      const name = stripVTControlCharacters(label);
      if (!isTTY) {
        if (done % stepsToALine === 0) output.write(`${count} documents\n`);
        return;
      }
      const filled = known === 0 ? 0 : Math.floor((barWidth * done) / known);
      const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
      const room = Math.max(0, (output.columns ?? 80) - barWidth - count.length - 4);
      clear();
      output.write(
        `${bar} ${count}  ${name.length > room ? `…${name.slice(name.length - room + 1)}` : name}`,
      );
      shown = true;
    },
  };
}

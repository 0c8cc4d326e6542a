import pc from "picocolors";
import { printable } from "./describe-notification.ts";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** Numbers stand at the right. */
  readonly align?: "right";
  /** Where text that does not fit is cut; columns without it are never cut. */
  readonly cut?: "middle" | "end";
  /** It is cut to this width before any other column is cut. */
  readonly yieldsTo?: number;
  readonly paint?: (row: Row) => (text: string) => string;
}

/** To this width a column can be cut. */
const narrowest = 10;
const gap = 2;
/** Of a page, a pipe or a file. */
const defaultWidth = 80;

const lengthOf = (text: string): number => Array.from(text).length;

/** The text in `width` characters; what is left out shows as `…`. */
function shortened(text: string, width: number, cut: "middle" | "end"): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const kept = Math.max(0, width - 1);
  const tail = cut === "end" ? 0 : Math.floor(kept / 2);
  return `${characters.slice(0, kept - tail).join("")}…${tail === 0 ? "" : characters.slice(-tail).join("")}`;
}

interface Width {
  width: number;
  readonly first: number;
  readonly least: number;
}

/** Takes from the widest column that may be narrower, until the lines fit or nothing can be cut any more. */
function fit(columns: readonly Width[], room: number, leastOf: (column: Width) => number): void {
  for (;;) {
    const over = columns.reduce((sum, { width }) => sum + width, 0) - room;
    const [widest] = columns
      .filter((column) => column.width > leastOf(column))
      .toSorted((a, b) => b.width - a.width);
    if (over <= 0 || widest === undefined) return;
    widest.width -= 1;
  }
}

/** Lines that fit a terminal of `width` characters where that is possible. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number = process.stdout.columns ?? defaultWidth,
): string {
  const cells = rows.map((row) => columns.map(({ of }) => printable(of(row))));
  const widths = columns.map(({ title, cut, yieldsTo }, index) => {
    const natural = Math.max(title.length, ...cells.map((line) => lengthOf(line[index] ?? "")));
    const least = cut === undefined ? natural : Math.min(natural, narrowest);
    return { width: natural, least, first: Math.min(natural, yieldsTo ?? natural) };
  });
  const room = width - gap * (columns.length - 1);
  fit(widths, room, ({ first }) => first);
  fit(widths, room, ({ least }) => least);
  const place = (text: string, index: number): string => {
    const { align, cut } = columns[index] ?? {};
    const wide = widths[index]?.width ?? 0;
    const shown = cut === undefined ? text : shortened(text, wide, cut);
    const padding = " ".repeat(Math.max(0, wide - lengthOf(shown)));
    if (align === "right") return padding + shown;
    return index === columns.length - 1 ? shown : shown + padding;
  };
  const head = columns.map(({ title }, index) => pc.dim(place(title, index))).join(" ".repeat(gap));
  const lines = rows.map((row, at) =>
    columns
      .map(({ paint }, index) => (paint?.(row) ?? String)(place(cells[at]?.[index] ?? "", index)))
      .join(" ".repeat(gap)),
  );
  return [head, ...lines].map((line) => line.trimEnd()).join("\n");
}

/** Units from the largest to the smallest, each with what one of it holds. */
type Units = readonly (readonly [unit: string, size: number])[];

const durationUnits: Units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
];

/** SI prefixes count by 1000, IEC prefixes by 1024 (ISO/IEC 80000-13). */
const sizeUnits: Units = [
  ["GiB", 1024 ** 3],
  ["GB", 1000 ** 3],
  ["MiB", 1024 ** 2],
  ["MB", 1000 ** 2],
  ["KiB", 1024],
  ["kB", 1000],
  ["B", 1],
];

function parse(text: string, units: Units): number | undefined {
  const [, amount, unit] = /^(\d{1,12}(?:\.\d{1,6})?) ?([A-Za-z]{1,3})$/.exec(text) ?? [];
  const size = units.find(([name]) => name.toLowerCase() === unit?.toLowerCase())?.[1];
  if (amount === undefined || size === undefined) return undefined;
  // Rounded away first: in binary 1.1 times 1000 is a little more than 1100.
  const value = Number((Number(amount) * size).toFixed(3));
  return Number.isSafeInteger(value) ? value : undefined;
}

function format(value: number, units: Units): string {
  if (value === 0) return `0${units.at(-1)?.[0]}`;
  const [unit, size] = units.find(([, each]) => value % each === 0) ?? ["", 1];
  return `${value / size}${unit}`;
}

/** Milliseconds of `500ms`, `5s`, `10m`, `72h` or `30d`; `undefined` where the text is none of these. */
export const parseDuration = (text: string): number | undefined => parse(text, durationUnits);

/** The shortest text that `parseDuration` reads as so many whole milliseconds. */
export const formatDuration = (milliseconds: number): string => format(milliseconds, durationUnits);

/** Bytes of `512B`, `64kB`, `2MB` or `1GiB`; `undefined` where the text is none of these. */
export const parseSize = (text: string): number | undefined => parse(text, sizeUnits);

/** A text that `parseSize` reads as so many whole bytes. */
export const formatSize = (bytes: number): string => format(bytes, sizeUnits);

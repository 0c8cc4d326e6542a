const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** A span in its largest unit, rounded down: `3 min`. */
export function humanSpan(seconds: number): string {
  const unit = units.find((each) => seconds >= each.seconds);
  return unit === undefined
    ? "0 s"
    : `${Math.floor(seconds / unit.seconds).toLocaleString("en")} ${unit.name}`;
}

export const humanCount = (count: number): string => count.toLocaleString("en");

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${humanCount(count)} ${count === 1 ? one : many}`;

/** `2026-01-03 09:00:00`, in UTC. */
export const humanTime = (datetime: string): string => datetime.slice(0, 19).replace("T", " ");

export const secondsSince = (datetime: string): number =>
  Math.max(0, Math.floor((Date.now() - Date.parse(datetime)) / 1000));

export const secondsUntil = (datetime: string): number =>
  Math.max(0, Math.ceil((Date.parse(datetime) - Date.now()) / 1000));

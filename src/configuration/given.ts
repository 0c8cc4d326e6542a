export type Path = readonly (string | number)[];

/** Where a value stands: in a line of the file, in a variable of the environment, or behind a flag. */
export interface Place {
  readonly source: string;
  /** Counted from 1; only in a file. */
  readonly line?: number;
  readonly column?: number;
}

/** What was given, before anything of it is checked. */
export interface Given {
  readonly values: unknown;
  placeOf(path: Path): Place;
}

export interface Fault {
  readonly place: Place;
  /** The key, as in `sets[0].profile`; not said where the place is a variable or a flag. */
  readonly key?: string;
  readonly message: string;
}

export function keyOf(path: Path): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(values: unknown, path: Path): unknown {
  let found = values;
  for (const part of path) {
    if (Array.isArray(found) && typeof part === "number") found = found[part];
    else found = isMapping(found) ? found[part] : undefined;
  }
  return found;
}

/** One line for each fault, in the order of the file. */
export function describeFaults(faults: readonly Fault[]): string {
  const inOrder = faults.toSorted(
    (a, b) =>
      (a.place.line ?? Infinity) - (b.place.line ?? Infinity) ||
      (a.place.column ?? 0) - (b.place.column ?? 0) ||
      0,
  );
  const lines = inOrder.map(({ place, key, message }) => {
    const at = [place.source, place.line, place.column].filter((part) => part !== undefined).join(":");
    return `  ${at}${key === undefined ? "" : ` ${key}`}: ${message}`;
  });
  return `The configuration has ${lines.length === 1 ? "a fault" : `${lines.length} faults`}:\n${lines.join("\n")}`;
}

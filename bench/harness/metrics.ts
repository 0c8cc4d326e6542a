/** The values of a metric at some hub processes, over all its labels that `labels` allows, added up. */
export async function metricOf(
  hubs: readonly { readonly port: number }[],
  name: string,
  labels = "",
): Promise<number> {
  const values = await Promise.all(
    hubs.map(async ({ port }) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const lines = text
        .split("\n")
        .filter((line) => line.startsWith(name) && !/[a-z_]/.test(line[name.length] ?? ""));
      return lines.filter((line) => line.includes(labels)).map((line) => Number(line.split(" ").at(-1)));
    }),
  );
  return values.flat().reduce((sum, value) => sum + value, 0);
}

/** Looks again every `pause` milliseconds until the condition holds; throws after `seconds`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  seconds = 120,
  pause = 10,
): Promise<void> {
  const last = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > last) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

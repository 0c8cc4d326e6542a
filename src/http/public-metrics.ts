import type { ResourceSet } from "../channels/registry.ts";

/** The metrics of `text`, in the exposition format, that name none of these sets and none of their channels. */
export function withoutSets(text: string, sets: readonly Pick<ResourceSet, "id">[]): string {
  const labels = sets.flatMap(({ id }) => [`channel="${id}/`, `set="${id}"`]);
  if (labels.length === 0) return text;
  return text
    .split("\n")
    .filter((line) => line.startsWith("#") || !labels.some((label) => line.includes(label)))
    .join("\n");
}

/** Every value of the top-level `capability` that a specification defines. */
export const capabilities = [
  "description",
  "capabilitylist",
  "resourcelist",
  "resourcedump",
  "resourcedump-manifest",
  "changelist",
  "changedump",
  "changedump-manifest",
  "change-notification",
  "framework-notification",
  "resourcelist-archive",
  "resourcedump-archive",
  "changelist-archive",
  "changedump-archive",
] as const;

export type Capability = (typeof capabilities)[number];

/** An index is told from its plain document by the root element only; both carry the same capability. */
export type DocumentType = Capability | `${Capability} index`;

export function isCapability(text: string | undefined): text is Capability {
  const known: readonly (string | undefined)[] = capabilities;
  return known.includes(text);
}

/** Tells whether a document is of one of `types`: rules say with it what they apply to. */
export function oneOf(...types: readonly DocumentType[]): (type: DocumentType) => boolean {
  const set = new Set<DocumentType>(types);
  return (type) => set.has(type);
}

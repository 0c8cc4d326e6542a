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

/**
 * An index is told from its plain document by the root element only; both carry the same capability. `other`: a
 * document that does not say what it is, or names a capability of some other specification.
 */
export type DocumentType = Capability | `${Capability} index` | "other";

export function isCapability(text: string | undefined): text is Capability {
  const known: readonly (string | undefined)[] = capabilities;
  return known.includes(text);
}

/** The value of `capability` for documents of this type; `…` for one that is not known. */
export function capabilityOf(type: DocumentType): string {
  return type === "other" ? "…" : type.replace(" index", "");
}

/** Tells whether a document is of one of `types`: rules say with it what they apply to. */
export function oneOf(...types: readonly DocumentType[]): (type: DocumentType) => boolean {
  const set = new Set<DocumentType>(types);
  return (type) => set.has(type);
}

/** The same for every type but `types`. What other specifications allow in their documents is theirs to say. */
export function allBut(...types: readonly DocumentType[]): (type: DocumentType) => boolean {
  const set = new Set<DocumentType>([...types, "other"]);
  return (type) => !set.has(type);
}

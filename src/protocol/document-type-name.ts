import type { DocumentType } from "./document-type.ts";

/** What people call the types, and programs ask for: stable. */
const typesByName = {
  "source-description": "description",
  "source-description-index": "description index",
  "capability-list": "capabilitylist",
  "capability-list-index": "capabilitylist index",
  "resource-list": "resourcelist",
  "resource-list-index": "resourcelist index",
  "resource-dump": "resourcedump",
  "resource-dump-index": "resourcedump index",
  "resource-dump-manifest": "resourcedump-manifest",
  "change-list": "changelist",
  "change-list-index": "changelist index",
  "change-dump": "changedump",
  "change-dump-index": "changedump index",
  "change-dump-manifest": "changedump-manifest",
  "change-notification": "change-notification",
  "framework-notification": "framework-notification",
  "resource-list-archive": "resourcelist-archive",
  "resource-list-archive-index": "resourcelist-archive index",
  "resource-dump-archive": "resourcedump-archive",
  "resource-dump-archive-index": "resourcedump-archive index",
  "change-list-archive": "changelist-archive",
  "change-list-archive-index": "changelist-archive index",
  "change-dump-archive": "changedump-archive",
  "change-dump-archive-index": "changedump-archive index",
} as const satisfies Record<string, DocumentType>;

export type DocumentTypeName = keyof typeof typesByName;

const isName = (text: string): text is DocumentTypeName => Object.hasOwn(typesByName, text);

/** In the order in which a Destination meets them. */
export const documentTypeNames: readonly DocumentTypeName[] = Object.keys(typesByName).filter(isName);

const namesByType: ReadonlyMap<DocumentType, DocumentTypeName> = new Map(
  documentTypeNames.map((name) => [typesByName[name], name]),
);

export function documentTypeOf(name: DocumentTypeName): DocumentType {
  return typesByName[name];
}

/** `undefined` where the type is not known. */
export function nameOfType(type: DocumentType): DocumentTypeName | undefined {
  return namesByType.get(type);
}

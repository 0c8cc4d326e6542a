import type { DocumentType } from "./document-type.ts";
import type { Severity } from "./fault.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import type { XmlElement } from "./xml-element.ts";

export type Profile = "1.0.1" | "1.0" | "0.8";

/** What decides which rules apply. */
export interface Standing {
  readonly type: DocumentType;
  readonly profile: Profile;
}

/** The type that somebody asks for. A hub takes either notification where the channel does not say which. */
export type Wanted = DocumentType | "a notification";

/** What a document is judged as. */
export interface Judged extends Standing {
  readonly document: SyncDocument;
  /** Older forms of a notification are accepted, with a warning. */
  readonly lenient: boolean;
  /** What it is to be; `undefined` where any document will do. */
  readonly wanted: Wanted | undefined;
}

/** What a rule demands, and who says so. */
export interface RuleFacts {
  readonly id: string;
  readonly severity: Severity;
  /** One sentence, true of every document that keeps the rule. */
  readonly sentence: string;
  /** A specification and its section. */
  readonly source: string;
}

export interface Complaint {
  readonly element: XmlElement;
  /** The attribute at fault, by its name as written. */
  readonly attribute?: string | undefined;
  /** What is wrong and what to write instead, for this document. */
  readonly says: string;
  /** Where it differs from that of the rule. */
  readonly severity?: Severity | undefined;
}

export interface Rule<Subject> extends RuleFacts {
  /** Every document, where there is none. */
  readonly applies?: (standing: Standing) => boolean;
  readonly check: (subject: Subject, judged: Judged) => Complaint | readonly Complaint[] | undefined;
}

/** Rules that belong together, by what each looks at. */
export interface RuleFamily {
  readonly ofDocuments?: readonly Rule<SyncDocument>[];
  /** Every element of the sitemap and ResourceSync namespaces, and of none. */
  readonly ofElements?: readonly Rule<XmlElement>[];
  readonly ofEntries?: readonly Rule<Entry>[];
  /** Every rs:md, top-level or of an entry: `isTopLevel` tells which. */
  readonly ofMetadata?: readonly Rule<XmlElement>[];
  /** Every rs:ln, top-level or of an entry. */
  readonly ofLinks?: readonly Rule<XmlElement>[];
}

/** The texts that rules rest on, as messages name them. */
export const core = "ResourceSync 1.1";
export const changeNotification = "Change Notification 1.0.1";
export const frameworkNotification = "Framework Notification 1.0.1";
export const notification08 = "Notification 0.8";
export const archives = "Archives 0.9.1";

export function isTopLevel(element: XmlElement): boolean {
  return element.parent?.parent === undefined;
}

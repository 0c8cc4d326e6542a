/** A document of the hub as it was last announced. */
interface AnnouncedDocument {
  readonly digest: string;
  /** How often it changed since the store began. */
  readonly version: number;
}

/**
 * Remembers between two starts what the hub's own documents looked like.
 *
 * Every method throws `StorageUnavailable` where the store cannot be reached.
 */
export interface AnnouncedDocuments {
  /** By URL or any other name; `undefined` where it was never put. */
  get(name: string): Promise<AnnouncedDocument | undefined>;
  /** The higher version stays, so that a process that is late changes nothing. */
  put(name: string, document: AnnouncedDocument): Promise<void>;
}

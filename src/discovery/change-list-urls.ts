/** Where the documents made from a set's log stand, beside its Capability List. */
export interface ChangeListUrls {
  readonly capabilityList: string;
  /** The Change List, or the Change List Index once a list was closed. */
  readonly top: string;
  readonly archive: string;
  list(n: number): string;
}

export function changeListUrls(capabilityListUrl: string): ChangeListUrls {
  const folder = new URL(".", capabilityListUrl).href;
  return {
    capabilityList: capabilityListUrl,
    top: `${folder}changelist.xml`,
    archive: `${folder}changelist-archive.xml`,
    list: (n) => `${folder}changelists/${n}.xml`,
  };
}

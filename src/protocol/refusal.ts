/** Why a document could not be read to its end. */
export interface Refusal {
  readonly rule: "X01" | "X02" | "X03" | "X04" | "X05" | "W01" | "W02" | "W03" | "W04";
  readonly says: string;
  /** In the text, in UTF-16 code units. */
  readonly offset: number;
}

/** Thrown inside the reader, where saxes' handlers have no other way to stop it. */
export class ReadingStopped extends Error {
  override name = "ReadingStopped";
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.says);
    this.refusal = refusal;
  }
}

export function stop(rule: Refusal["rule"], offset: number, says: string): never {
  throw new ReadingStopped({ rule, offset, says });
}

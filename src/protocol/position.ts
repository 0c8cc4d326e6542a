import type { Branded } from "./branded.ts";

/** A place in a channel's log, `epoch-sequence`; opaque to clients. */
export type Position = Branded<string, "Position">;

export interface Place {
  /** The incarnation of the store in which the sequence number was given out. */
  readonly epoch: string;
  /** 0 is the place before the first notification. */
  readonly sequence: number;
}

const shape = /^([0-9a-z]{8,16})-(0|[1-9]\d{0,14})$/;

export function positionOf({ epoch, sequence }: Place): Position {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made from its parts
  return `${epoch}-${sequence}` as Position;
}

/** `undefined` where the text has not the form of a position. */
export function parsePosition(text: string): Position | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern is the check
  return shape.test(text) ? (text as Position) : undefined;
}

export function placeOf(position: Position): Place {
  const at = position.lastIndexOf("-");
  return { epoch: position.slice(0, at), sequence: Number(position.slice(at + 1)) };
}

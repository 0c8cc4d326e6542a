import type { SetId } from "../channels/channel.ts";

/** A Change List, or the index of some, as it was fetched from a Source. */
export interface FetchedChangeList {
  readonly set: SetId;
  readonly url: string;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Milliseconds since 1970, when the request was sent: the document holds nothing that came to be later. */
  readonly fetchedAt: number;
  /** What the answer said of its version, so that the next request can be conditional. */
  readonly validators?: Validators;
}

export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export type IntakeOutcome =
  /** The first list of a set: all that is in it counts as known, and nothing was published. */
  | { readonly kind: "begun"; readonly known: number }
  /** What was new in it, which may be nothing, was published. `isMore`: lists of the index are still to be read. */
  | {
      readonly kind: "taken";
      readonly changes: number;
      readonly notifications: number;
      readonly isMore: boolean;
    }
  /** Nothing was taken of it, or not all; the sentence says why and what to do. */
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Publishes what is new in a Change List to the set's change channel, once, whichever process takes it and however often.
 * Throws `StorageUnavailable`; then the same list can be given again.
 */
export type TakeChangeList = (list: FetchedChangeList) => Promise<IntakeOutcome>;

/** Ends the taking of a list; the message is for the operator. Nothing in it gets better by trying the same again. */
export class ListNotTaken extends Error {
  override name = "ListNotTaken";
  readonly mayRetry = false;
}

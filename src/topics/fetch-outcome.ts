/** How the fetch that a ping asked for ended. */
export type FetchOutcome =
  /** Whatever it found: the ping is answered. */
  | { readonly kind: "answered" }
  | { readonly kind: "failed"; readonly reason: string; readonly mayRetry: boolean }
  /** Called off by us. */
  | { readonly kind: "abandoned" };

export const answered: FetchOutcome = { kind: "answered" };

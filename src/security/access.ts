import { hash, timingSafeEqual } from "node:crypto";

/** Sets of resources by their ids, or every one that there is and will be. */
export type GrantedSets = readonly string[] | "all";

/** Whose right something is that outlasts the request in which a token was sent. */
export interface Authority {
  /** Where the holder is known from: a section of the configuration, or `jwt:` and the issuer of signed tokens. */
  readonly from: string;
  /** For logs and answers to this holder. */
  readonly name: string;
  /** When the right ends, in milliseconds since 1970; `undefined` where only the configuration ends it. */
  readonly until: number | undefined;
}

/** Who holds a token, and what it lets them do. Holders are the same where `from` and `name` are, whatever token they send. */
export interface Holder extends Authority {
  readonly publish: GrantedSets;
  /** Of private sets: everybody may read the others. */
  readonly subscribe: GrantedSets;
  readonly operate: boolean;
}

/** A token that the configuration names, by its SHA-256 in hexadecimal digits. */
export interface KnownToken {
  readonly tokenSha256: string;
  readonly holder: Holder;
}

export type Identification =
  | { readonly kind: "no-token" }
  | { readonly kind: "unknown-token" }
  /** The keys that would tell cannot be had at the moment. */
  | { readonly kind: "undecided" }
  /** One token can stand for several holders, each with its own rights. */
  | { readonly kind: "known"; readonly holders: readonly [Holder, ...Holder[]] };

/** Whose signed token (JWT) it is; `undefined` where it is none that can be believed. */
export type VerifySigned = (token: string) => Promise<Holder | "undecided" | undefined>;

/** Where holders of an issuer's signed tokens are known from. */
export const signedBy = (issuer: string): string => `jwt:${issuer}`;

export interface SignedTokens {
  readonly issuer: string;
  readonly verify: VerifySigned;
  /** Calls after other keys took the place of those that were known. */
  onKeysReplaced(listener: () => void): void;
}

/** Who may do what. Every token that a client sends is judged here. */
export interface Access {
  identify(token: string | undefined): Promise<Identification>;
  /**
   * Whether a right that was good when a token was sent still is: `may` is asked of the holder as it is known now. What a signed
   * token said cannot be asked again: it counts until it ends, while its issuer is believed.
   */
  stands(authority: Authority, may: (holder: Holder) => boolean): boolean;
  /** From now on these tokens are known, and no others. */
  replace(tokens: readonly KnownToken[]): void;
  /** Calls after each replacement, of tokens or of the keys by which signed ones are known. */
  onReplaced(listener: () => void): void;
}

export function grants(granted: GrantedSets, set: string): boolean {
  return granted === "all" || granted.includes(set);
}

export function createAccess(tokens: readonly KnownToken[], signedTokens?: SignedTokens): Access {
  let known = digested(tokens);
  const listeners: (() => void)[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  signedTokens?.onKeysReplaced(tell);

  async function identify(token: string | undefined): Promise<Identification> {
    if (token === undefined) return { kind: "no-token" };
    // It stands in the way of every publication: in one call it costs half.
    const digest = hash("sha256", token, "buffer");
    // Every hash is compared, so that the time taken does not tell whose token it is.
    const [first, ...others] = known
      .filter((each) => timingSafeEqual(digest, each.digest))
      .map(({ holder }) => holder);
    if (first !== undefined) return { kind: "known", holders: [first, ...others] };
    const signed = await signedTokens?.verify(token);
    if (signed === "undecided") return { kind: "undecided" };
    return signed === undefined ? { kind: "unknown-token" } : { kind: "known", holders: [signed] };
  }

  return {
    identify,
    stands({ from, name }, may) {
      if (signedTokens !== undefined && from === signedBy(signedTokens.issuer)) return true;
      return known.some(({ holder }) => holder.from === from && holder.name === name && may(holder));
    },
    replace(tokens) {
      known = digested(tokens);
      tell();
    },
    onReplaced: (listener) => void listeners.push(listener),
  };
}

/** Throws a `RangeError` where a hash is none: the configuration has checked them. */
function digested(tokens: readonly KnownToken[]): readonly { digest: Buffer; holder: Holder }[] {
  return tokens.map(({ tokenSha256: hash, holder }) => {
    const digest = Buffer.from(hash, "hex");
    if (digest.length !== 32) throw new RangeError(`the hash of a token of ${holder.name} has no 32 bytes`);
    return { digest, holder };
  });
}

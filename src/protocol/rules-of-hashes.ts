import { copiedText } from "./copied-text.ts";
import { type Complaint, core, type Rule, type RuleFamily } from "./rule.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";

/** IANA "Hash Function Textual Names" → hex digits of a digest, where that is fixed. */
const algorithms: ReadonlyMap<string, number | undefined> = new Map([
  ["md2", 32],
  ["md5", 32],
  ["sha-1", 40],
  ["sha-224", 56],
  ["sha-256", 64],
  ["sha-384", 96],
  ["sha-512", 128],
  ["shake128", undefined],
  ["shake256", undefined],
]);

/** More than there are algorithms; what a hostile document has beyond is not worth the time. */
const maxTokens = 32;

interface Token {
  readonly text: string;
  readonly algorithm: string;
  readonly digest: string;
  /** The algorithm in small letters. */
  readonly lowered: string;
  readonly isComplete: boolean;
  readonly isHex: boolean;
}

const hex = /^[0-9A-Fa-f]+$/;

function tokenOf(text: string): Token {
  const colon = text.indexOf(":");
  const algorithm = text.slice(0, Math.max(0, colon));
  const digest = text.slice(colon + 1);
  const isComplete = algorithm !== "" && digest !== "";
  return { text, algorithm, digest, lowered: algorithm.toLowerCase(), isComplete, isHex: hex.test(digest) };
}

function split(value: string): Token[] {
  return value
    .split(/[ \t\r\n]+/)
    .filter((text) => text !== "")
    .slice(0, maxTokens)
    .map(tokenOf);
}

/** Five rules ask about the same hash in turn. */
let latest: { readonly value: string; readonly tokens: readonly Token[] } = { value: "", tokens: [] };

function tokensOf(value: string): readonly Token[] {
  if (latest.value !== value) {
    const copy = copiedText(value);
    latest = { value: copy, tokens: split(copy) };
  }
  return latest.tokens;
}

/** A rule about the tokens of `hash`: `judge` says what is wrong with one of them. */
function ofTokens(
  facts: Omit<Rule<XmlElement>, "check">,
  judge: (token: Token, tokens: readonly Token[]) => string | undefined,
): Rule<XmlElement> {
  return {
    ...facts,
    check: (element) => {
      const value = attributeOf(element, "hash");
      if (value === undefined) return undefined;
      const tokens = tokensOf(value);
      let complaints: Complaint[] | undefined;
      for (const token of tokens) {
        const says = judge(token, tokens);
        if (says !== undefined) (complaints ??= []).push({ element, attribute: "hash", says });
      }
      return complaints;
    },
  };
}

const shortened = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

/** Spellings that libraries use for the registered names: sha256, SHA_256, MD-5. */
function registeredName(algorithm: string): string | undefined {
  const letters = algorithm.toLowerCase().replace(/[-_/]/g, "");
  return [...algorithms.keys()].find((name) => name.replace("-", "") === letters);
}

const rules: readonly Rule<XmlElement>[] = [
  {
    id: "V08",
    severity: "error",
    sentence: "hash is a list of algorithm:digest, separated by white space.",
    source: `${core} §7`,
    check: (element) => {
      const value = attributeOf(element, "hash");
      if (value === undefined) return undefined;
      const tokens = tokensOf(value);
      if (tokens.length === 0) return { element, attribute: "hash", says: 'the attribute "hash" is empty' };
      if (tokens.every(({ isComplete }) => isComplete)) return undefined;
      return tokens
        .filter(({ isComplete }) => !isComplete)
        .map(({ text }) => ({
          element,
          attribute: "hash",
          says: `in the hash, "${shortened(text)}" is no algorithm:digest; write it as md5:1584abdf…, without a break inside`,
        }));
    },
  },
  ofTokens(
    {
      id: "V09",
      severity: "warning",
      sentence: "Digests are hex-encoded.",
      source: `${core} §7`,
    },
    (token) =>
      token.isComplete && !token.isHex
        ? `the ${token.algorithm} digest "${shortened(token.digest)}" is not hex; write the digits 0–9 and a–f, not Base64`
        : undefined,
  ),
  ofTokens(
    {
      id: "V10",
      severity: "error",
      sentence: "A hex digest has the length of its algorithm.",
      source: "IANA Hash Function Textual Names",
    },
    ({ algorithm, lowered, digest, isHex }) => {
      const digits = algorithms.get(lowered);
      if (digits === undefined || !isHex || digest.length === digits) return undefined;
      return `the ${algorithm} digest has ${digest.length} hex digits; ${algorithm} gives ${digits}`;
    },
  ),
  ofTokens(
    {
      id: "V11",
      severity: "warning",
      sentence: "The algorithm of a hash has its registered name.",
      source: "IANA Hash Function Textual Names",
    },
    (token) => {
      if (!token.isComplete || algorithms.has(token.algorithm)) return undefined;
      const meant = registeredName(token.algorithm);
      const advice =
        meant === undefined ? "write md5, sha-1, sha-256 or sha-512" : `it is written "${meant}"`;
      return `the hash algorithm "${token.algorithm}" is unknown; ${advice}`;
    },
  ),
  ofTokens(
    {
      id: "V12",
      severity: "warning",
      sentence: "No algorithm occurs twice in one hash attribute.",
      source: "rule of this hub",
    },
    (token, tokens) =>
      token.algorithm !== "" && tokens.find(({ lowered }) => lowered === token.lowered) !== token
        ? `the hash names ${token.algorithm} twice; a reader cannot tell which digest holds`
        : undefined,
  ),
];

/** V08–V12: the hash attribute of rs:md and rs:ln. */
export const rulesOfHashes: RuleFamily = { ofMetadata: rules, ofLinks: rules };

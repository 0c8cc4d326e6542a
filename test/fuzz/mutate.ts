/** Numbers that follow from a seed alone (mulberry32): the same seed makes the same documents on every machine. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What readers of XML have stumbled over. */
const tokens = [
  ...Array.from("<>&\"'/=!?-[]:;# \n\t\r\0\u0001\u007f\u0085\u00a0\ufeff\ufffe\ud7ff"),
  ..."<!-- |-->|--|<![CDATA[|]]>|<?x |?>|<!DOCTYPE a>|<!ENTITY a 'b'>|&amp;|&lt;|&#0;|&#x41;|&#65;|&a;|&__proto__;".split(
    "|",
  ),
  ..."<a>|</a>|<a/>|<x:y/>|</url>|<url>|<loc/>|</urlset>|xmlns=''|xmlns:x='urn:x'|xmlns:xml='urn:x'|xml:lang='de'".split(
    "|",
  ),
  ..."<__proto__/>|<constructor x='1'/>|__proto__='1'|constructor='1'|toString=''|<?xml version='1.0'?>|<?xml?>".split(
    "|",
  ),
].map((token) => Buffer.from(token));

const brokenUtf8 = [[0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe2, 0x82]];

type Pick = (below: number) => number;
type Mutation = (document: Buffer, other: Buffer, pick: Pick) => Buffer;

/** A stretch of up to 40 bytes. */
function stretchOf(document: Buffer, pick: Pick): Buffer {
  const from = pick(document.length + 1);
  return document.subarray(from, from + 1 + pick(40));
}

function spliced(document: Buffer, at: number, dropped: number, inserted: Uint8Array): Buffer {
  return Buffer.concat([document.subarray(0, at), inserted, document.subarray(at + dropped)]);
}

const mutations: readonly Mutation[] = [
  // One bit
  (document, _other, pick) => {
    const copy = Buffer.from(document);
    const at = pick(copy.length);
    copy[at] = copy[at]! ^ (1 << pick(8));
    return copy;
  },
  // Something dropped, doubled, moved, or of another document
  (document, _other, pick) => spliced(document, pick(document.length), 1 + pick(8), Buffer.alloc(0)),
  (document, _other, pick) => spliced(document, pick(document.length), 0, stretchOf(document, pick)),
  (document, other, pick) => spliced(document, pick(document.length), pick(20), stretchOf(other, pick)),
  (document, other, pick) =>
    Buffer.concat([document.subarray(0, pick(document.length)), other.subarray(pick(other.length))]),
  // The end is missing
  (document, _other, pick) => document.subarray(0, pick(document.length)),
  // Something that means much, mostly
  (document, _other, pick) => spliced(document, pick(document.length), 0, tokens[pick(tokens.length)]!),
  (document, _other, pick) =>
    spliced(document, pick(document.length), 1 + pick(4), tokens[pick(tokens.length)]!),
  (document, _other, pick) => {
    // Beside a mark, where it counts.
    const mark = '<>="&/'[pick(6)]!;
    const at = document.indexOf(mark, pick(document.length));
    return spliced(document, Math.max(0, at) + pick(2), pick(2), tokens[pick(tokens.length)]!);
  },
  (document, _other, pick) =>
    spliced(document, pick(document.length), pick(2), Buffer.from(brokenUtf8[pick(brokenUtf8.length)]!)),
];

/** `count` documents, each one of the originals with one to four changes. The same seed gives the same. */
export function mutants(originals: readonly Buffer[], seed: number, count: number): Buffer[] {
  const pick = numbersFrom(seed);
  return Array.from({ length: count }, () => {
    let document = originals[pick(originals.length)]!;
    for (let left = 1 + pick(4); left > 0 && document.length > 0; left -= 1) {
      const other = originals[pick(originals.length)]!;
      document = mutations[pick(mutations.length)]!(document, other, pick);
    }
    return document;
  });
}

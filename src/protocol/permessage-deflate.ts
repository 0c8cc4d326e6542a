import { constants, deflateRawSync } from "node:zlib";

const extension = "permessage-deflate";

/**
 * Of the window of our compressor, as its logarithm: 4 kB. Clients that ask for a window as small as that read the same
 * bytes as the others; markup repeats itself near by, so a larger one gains little.
 */
const windowBits = 12;

/** An offer in `Sec-WebSocket-Extensions`, or what we answer to it: parameters by name, `true` where one has no value. */
type Offer = ReadonlyMap<string, number | true>;

/** What a parameter may be (RFC 7692 §7.1): an offer with any other one is declined, as are those with unknown parameters. */
const allowed: Readonly<Record<string, (value: number | true | undefined) => boolean>> = {
  server_no_context_takeover: (value) => value === true,
  client_no_context_takeover: (value) => value === true,
  server_max_window_bits: (value) => typeof value === "number" && value >= windowBits && value <= 15,
  client_max_window_bits: (value) => value === true || (value !== undefined && value >= 8 && value <= 15),
};

/**
 * The first offer of permessage-deflate in the header that can be accepted, in its shortest form; `undefined` where there
 * is none, and the messages go uncompressed.
 */
export function acceptableOffer(header: string): string | undefined {
  for (const text of header.split(",")) {
    const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
    const offer = name === extension ? offerOf(parameters) : undefined;
    if (offer !== undefined) return written(offer);
  }
  return undefined;
}

function offerOf(parameters: readonly string[]): Offer | undefined {
  const offer = new Map<string, number | true>();
  for (const parameter of parameters) {
    const [, name = "", , bits] = /^(\w+)(?:\s*=\s*("?)([1-9]\d?)\2)?$/.exec(parameter) ?? [];
    const value = bits === undefined ? true : Number(bits);
    const isAllowed = Object.hasOwn(allowed, name) && allowed[name]?.(value) === true;
    if (!isAllowed || offer.has(name)) return undefined;
    offer.set(name, value);
  }
  return offer;
}

function written(offer: Offer): string {
  const parameters = [...offer].map(([name, value]) => (value === true ? name : `${name}=${value}`));
  return [extension, ...parameters].join("; ");
}

/** RFC 7692 §7.2.1: what the compressor writes up to a flush, without the four bytes with which every flush ends. */
export function deflatedMessage(payload: Buffer): Buffer {
  return deflateRawSync(payload, { windowBits, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
}

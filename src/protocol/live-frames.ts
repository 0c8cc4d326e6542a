const finalTextFrame = 0x81;
/** With RSV1, which permessage-deflate gives its meaning (RFC 7692 §6). */
const compressedTextFrame = 0xc1;

/**
 * One WebSocket message: a final, unmasked text frame (RFC 6455 §5.2) whose payload is `payload`, byte for byte.
 * The payload must be valid UTF-8 (§5.6).
 */
export function textFrame(payload: Buffer): Buffer {
  return frameOf(finalTextFrame, payload);
}

/**
 * The same for a reader that has agreed on permessage-deflate (RFC 7692). `deflated` is the compressed payload; each message
 * can be read without those before it.
 */
export function deflatedTextFrame(deflated: Buffer): Buffer {
  return frameOf(compressedTextFrame, deflated);
}

function frameOf(firstByte: number, payload: Buffer): Buffer {
  const headerLength = payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + payload.length);
  frame[0] = firstByte;
  if (headerLength === 2) {
    frame[1] = payload.length;
  } else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(payload.length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  payload.copy(frame, headerLength);
  return frame;
}

/**
 * One event of an event stream (HTML §9.2.6). Each line of `data` becomes a field of its own, and the receiver joins them
 * with LF: CR LF and CR inside the data arrive as LF.
 */
export function eventFrame({ id, event, data }: { id: string; event: string; data: Buffer }): Buffer {
  // Latin-1 maps every byte to one character and back, so UTF-8 passes through untouched.
  const lines = data.toString("latin1").replaceAll(/\r\n|\r|\n/g, "\ndata: ");
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${lines}\n\n`, "latin1");
}

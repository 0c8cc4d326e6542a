/**
 * Counts the WebSocket messages in a stream of bytes without looking into them: reading must cost as little as it can, or the
 * bench measures the reader. Frames of a server are not masked (RFC 6455 §5.1); pings are not counted.
 */
export function createFrameCounter(onMessage: () => void): (chunk: Buffer) => void {
  /** Of the frame that is being read: what is still to come. */
  let left = 0;
  let isMessage = false;
  /** A header that a chunk broke in two. */
  let broken: Buffer | undefined;

  return (arrived) => {
    const chunk = broken === undefined ? arrived : Buffer.concat([broken, arrived]);
    broken = undefined;
    let at = 0;
    for (;;) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        at += taken;
        left -= taken;
        if (left > 0) return;
        if (isMessage) onMessage();
      }
      if (at === chunk.length) return;
      const header = headerLength(chunk, at);
      if (chunk.length - at < header) {
        broken = chunk.subarray(at);
        return;
      }
      isMessage = ((chunk[at] ?? 0) & 0x0f) < 3;
      left = payloadLength(chunk, at);
      at += header;
      if (left === 0 && isMessage) onMessage();
    }
  };
}

function headerLength(chunk: Buffer, at: number): number {
  const short = (chunk[at + 1] ?? 0) & 0x7f;
  return short === 126 ? 4 : short === 127 ? 10 : 2;
}

function payloadLength(chunk: Buffer, at: number): number {
  const short = (chunk[at + 1] ?? 0) & 0x7f;
  if (short === 126) return chunk.readUInt16BE(at + 2);
  return short === 127 ? Number(chunk.readBigUInt64BE(at + 2)) : short;
}

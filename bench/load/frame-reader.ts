import { constants, inflateRawSync } from "node:zlib";

const syncTail = Buffer.from([0, 0, 0xff, 0xff]);

/** Reads the payloads of the WebSocket messages in a stream of bytes: for a few readers, where a counter does not do. */
export function createFrameReader(onMessage: (payload: Buffer) => void): (chunk: Buffer) => void {
  let bytes: Buffer = Buffer.alloc(0);
  return (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      if (bytes.length < 2) return;
      const [first = 0, second = 0] = bytes;
      const header = second < 126 ? 2 : second === 126 ? 4 : 10;
      if (bytes.length < header) return;
      const length =
        second < 126 ? second : second === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < header + length) return;
      const payload = bytes.subarray(header, header + length);
      bytes = bytes.subarray(header + length);
      // Opcodes from 8 on are pings and the like (RFC 6455 §5.2); 0x40 marks what is compressed (RFC 7692 §6).
      if ((first & 0x0f) < 3) onMessage((first & 0x40) === 0 ? payload : inflated(payload));
    }
  };
}

function inflated(payload: Buffer): Buffer {
  return inflateRawSync(Buffer.concat([payload, syncTail]), { finishFlush: constants.Z_SYNC_FLUSH });
}

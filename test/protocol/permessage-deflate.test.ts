import { inflateRawSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { acceptableOffer, deflatedMessage } from "../../src/protocol/permessage-deflate.ts";

describe("an offer of permessage-deflate (RFC 7692 §7.1)", () => {
  test.each([
    // Chrome, Firefox, Python's websockets, gorilla.
    ["permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits"],
    ["permessage-deflate", "permessage-deflate"],
    [
      "permessage-deflate; server_max_window_bits=12; client_max_window_bits=12",
      "permessage-deflate; server_max_window_bits=12; client_max_window_bits=12",
    ],
    [
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
    ],
    ['  permessage-deflate ;server_max_window_bits = "15"', "permessage-deflate; server_max_window_bits=15"],
    ["x-webkit-deflate-frame, permessage-deflate", "permessage-deflate"],
  ])("%s is accepted", (header, offer) => {
    expect(acceptableOffer(header)).toBe(offer);
  });

  test("is passed over where it asks for a smaller window than ours, and the next one is taken", () => {
    const small = "permessage-deflate; server_max_window_bits=9";
    expect(acceptableOffer(small)).toBeUndefined();
    expect(acceptableOffer(`${small}, permessage-deflate`)).toBe("permessage-deflate");
  });

  test.each([
    "",
    "permessage-bzip2",
    "permessage-deflate; unknown",
    "permessage-deflate; toString",
    "permessage-deflate; server_no_context_takeover=1",
    "permessage-deflate; server_max_window_bits",
    "permessage-deflate; server_max_window_bits=16",
    "permessage-deflate; server_max_window_bits=012",
    "permessage-deflate; client_max_window_bits=7",
    "permessage-deflate; client_max_window_bits=10; client_max_window_bits=10",
    'permessage-deflate; client_max_window_bits="10',
    "permessage-deflate;",
  ])("%j is declined", (header) => {
    expect(acceptableOffer(header)).toBeUndefined();
  });

  test("of hostile length is declined in time that grows with its length only", () => {
    const header = `permessage-deflate; server_max_window_bits${" ".repeat(600_000)}x`;
    const began = performance.now();
    expect(acceptableOffer(header)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

test.each([0, 1, 5000, 300_000])("a deflated message of %i bytes inflates to the same bytes", (length) => {
  const payload = Buffer.from("<url>é€😀</url>\r\n".repeat(Math.ceil(length / 20)).slice(0, length));
  const message = Buffer.concat([deflatedMessage(payload), Buffer.from([0, 0, 0xff, 0xff])]);
  // A client with the smallest window that we accept reads it too.
  const inflated = inflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH, windowBits: 12 });
  expect(inflated.equals(payload)).toBe(true);
});

import { describe, expect, test } from "vitest";
import { closings } from "../../src/live/close-codes.ts";
import { eventFrame, textFrame } from "../../src/protocol/live-frames.ts";
import { parseLiveMessage, writeLiveMessage } from "../../src/protocol/live-messages.ts";
import { positionOf } from "../../src/protocol/position.ts";

describe("a text frame (RFC 6455 §5.2)", () => {
  test.each([
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 0xff, 0xff]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])("of %i bytes has the shortest header that holds its length", (length, header) => {
    const payload = Buffer.alloc(length, "a");
    const frame = textFrame(payload);
    expect([...frame.subarray(0, header.length)]).toEqual(header);
    expect(frame.subarray(header.length).equals(payload)).toBe(true);
  });
});

describe("an event (HTML §9.2.6)", () => {
  const dataOf = (frame: Buffer): string =>
    frame
      .toString("utf8")
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => line.slice("data: ".length))
      .join("\n");

  test("gives every line a data field, and multi-byte characters pass untouched", () => {
    const frame = eventFrame({ id: "p-1", event: "notification", data: Buffer.from("<a>\n ü€😀\n</a>") });
    expect(frame.toString("utf8")).toBe(
      "id: p-1\nevent: notification\ndata: <a>\ndata:  ü€😀\ndata: </a>\n\n",
    );
  });

  test("arrives with LF for every kind of line end, and keeps the last one", () => {
    const frame = eventFrame({ id: "p-1", event: "notification", data: Buffer.from("a\r\nb\rc\n") });
    expect(dataOf(frame)).toBe("a\nb\nc\n");
  });
});

test("a message of a type that this version does not know is passed over, not refused", () => {
  expect(parseLiveMessage('{"type":"weather"}')).toBeUndefined();
  expect(parseLiveMessage("<urlset/>")).toBeUndefined();
  expect(parseLiveMessage('{"type":"caught-up","position":"p-1","more":1}')).toEqual({
    type: "caught-up",
    position: "p-1",
  });
});

test("a JSON message gives the payload back exactly, a byte order mark and control characters too", () => {
  const payload = '\uFEFF<?xml version="1.0"?>\r\n<a b="\\"/>\t\u2028😀';
  const written = writeLiveMessage({ type: "notification", position: "p-1", receivedAt: "", payload });
  expect(parseLiveMessage(written.toString("utf8"))).toMatchObject({ payload });
});

test("every reason for closing fits into a close frame: at most 123 bytes (RFC 6455 §5.5.1)", () => {
  const longest = positionOf({ epoch: "z".repeat(16), sequence: 999_999_999_999_999 });
  const all = [
    closings.shutdown(longest),
    closings.shutdown(undefined),
    closings.failed(longest),
    closings.storageAway(longest),
    closings.gap(longest, undefined),
    ...[60, 61, 62, 63, 64, 200].map((length) => closings.gap(longest, "x".repeat(length))),
    closings.talkative(),
    closings.tooManyReaders(1_000_000),
  ];
  for (const { reason } of all) expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
});

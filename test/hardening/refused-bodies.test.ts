import { describe, expect, test } from "vitest";
import { hasAnswer, rawConnection, rawExchange } from "../support/raw-request.ts";
import { testHubForAll } from "../support/start-hub.ts";

describe("a refused body", () => {
  const head = (length: string) =>
    `POST /sets/maps/change-notification HTTP/1.1\r\nHost: hub\r\n${length}\r\n\r\n`;
  const megabyte = "x".repeat(1_000_000);
  const hub = testHubForAll();

  test("is let run out, so that its sender reads why", async () => {
    const body = [head("Content-Length: 3000000"), megabyte, megabyte, megabyte];
    const { statuses, isEndedByPeer } = await rawExchange(hub().port, body, { until: hasAnswer });
    expect({ statuses, isEndedByPeer }).toEqual({ statuses: [401], isEndedByPeer: false });
  });

  test("that does not end is cut off after 10 MB", async () => {
    const socket = await rawConnection(hub().port);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume().write(head("Transfer-Encoding: chunked"));
    const chunk = `ffff\r\n${"x".repeat(65_535)}\r\n`;
    // Only when the last was taken comes the next: what is on its way is what the buffers of the kernel hold.
    const flood = (): void => void (socket.writable && socket.write(chunk, flood));
    flood();
    await closed;
    expect(socket.bytesWritten).toBeGreaterThan(10_000_000);
    expect(socket.bytesWritten).toBeLessThan(14_000_000);
  });
});

import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { pacedStream } from "../../src/live/outlet.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Two ends of one connection. */
async function socketPair() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const far = connect(address.port, "127.0.0.1");
  far.on("error", () => {});
  const near = await accepted;
  return {
    near,
    far,
    [Symbol.asyncDispose]: async () => {
      near.destroy();
      far.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a stream moves while its reader takes something, and not while it takes nothing", async () => {
  await using pair = await socketPair();
  const stream = pacedStream(pair.near);
  pair.far.pause();
  for (let n = 0; n < 320; n += 1) stream.write(Buffer.alloc(64 * 1024));
  let waiting = -1;
  // Until the system's own buffers are full.
  await waitUntil(() => {
    const before = waiting;
    waiting = stream.waiting();
    expect(waiting).toBe(before);
  });
  stream.hasMoved();
  expect(stream.hasMoved()).toBe(false);
  pair.far.resume();
  await waitUntil(() => expect(stream.waiting()).toBeLessThan(waiting));
  expect(stream.hasMoved()).toBe(true);
  await stream.drained();
  expect(stream.waiting()).toBe(0);
});

test("waiting for a stream to drain ends when it is closed", async () => {
  await using pair = await socketPair();
  const stream = pacedStream(pair.near);
  pair.far.pause();
  for (let n = 0; n < 320; n += 1) stream.write(Buffer.alloc(64 * 1024));
  const drained = stream.drained();
  pair.near.destroy();
  await drained;
  await stream.drained();
  expect(pair.near.destroyed).toBe(true);
});

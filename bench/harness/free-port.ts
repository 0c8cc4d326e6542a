import { once } from "node:events";
import { createServer } from "node:net";

/*
 * Ports below those that the system hands out (32768 and up on Linux, 49152 elsewhere): one of those, once let go, goes to
 * the next connection that anybody makes, before the program that it was meant for listens. And above 10080, the highest
 * of those that `fetch` refuses. Each process has a hundred of its own, so that neighbours do not choose the same.
 */
const first = 11_000;
const ofEach = 100;
const shares = 217;

const own = first + (process.pid % shares) * ofEach;
let next = Math.floor(Math.random() * ofEach);

/** A port of 127.0.0.1 on which nobody listens, and which nobody is given by chance. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < ofEach; tried += 1) {
    const port = own + (next % ofEach);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${own} to ${own + ofEach - 1}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

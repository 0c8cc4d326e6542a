import { request } from "node:http";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** One request on a connection of its own, so that it leaves no socket behind. Rejects where there is no whole answer. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, timeout = 10_000 }: Asked = {},
) {
  return new Promise<Reply>((resolve, reject) => {
    const options = { port, path, method, headers, agent: false, host: "127.0.0.1" };
    const asking = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, body: Buffer.concat(chunks).toString() });
      });
      response.on("close", () => reject(new Error("the answer was cut off")));
    });
    // Not that of the socket, which only counts silence.
    const timer = setTimeout(() => asking.destroy(new Error(`no answer within ${timeout} ms`)), timeout);
    asking.on("close", () => clearTimeout(timer));
    asking.on("error", reject);
    asking.end(body);
  });
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Looks again and again; `false` where it does not hold within `seconds`. */
export async function holdsWithin(
  seconds: number,
  holds: () => boolean | Promise<boolean>,
  every = 20,
): Promise<boolean> {
  const last = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > last) return false;
    await pause(every);
  }
  return true;
}

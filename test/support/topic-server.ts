import { createServer, type IncomingHttpHeaders } from "node:http";

interface TopicAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Resolves before the answer begins. */
  readonly after?: Promise<void>;
}

/** A publisher's server: what stands at which path, from now on. */
export interface TopicServer extends AsyncDisposable {
  readonly origin: string;
  put(path: string, answer: TopicAnswer): void;
  /** In the order of their arrival. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

export async function startTopicServer(port = 0): Promise<TopicServer> {
  const answers = new Map<string, TopicAnswer>();
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers });
    const { status = 200, headers = {}, body = "", after } = answers.get(path) ?? { status: 404 };
    const etag = headers["ETag"];
    const isKnown = etag !== undefined && request.headers["if-none-match"] === etag;
    void Promise.resolve(after).then(() => {
      response.writeHead(isKnown ? 304 : status, headers);
      response.end(isKnown ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    put: (path, answer) => void answers.set(path, answer),
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

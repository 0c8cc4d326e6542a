import { createServer, type IncomingHttpHeaders } from "node:http";

interface Page {
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ListServer extends AsyncDisposable {
  readonly origin: string;
  /** What stands at a path, from now on; with an `ETag` of its own, by which a request can be conditional. */
  put(path: string, page: Page | string): void;
  readonly requests: readonly {
    readonly path: string;
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
  }[];
}

/** A Source over real HTTP that keeps Change Lists, and does nothing else. */
export async function startListServer(): Promise<ListServer> {
  const pages = new Map<string, Page & { readonly etag: string }>();
  const requests: { path: string; status: number; headers: IncomingHttpHeaders }[] = [];
  let version = 0;
  const server = createServer(({ url = "", headers }, response) => {
    const page = pages.get(url);
    const isKnown = page !== undefined && headers["if-none-match"] === page.etag;
    const status = isKnown ? 304 : (page?.status ?? (page === undefined ? 404 : 200));
    requests.push({ path: url, status, headers });
    response.writeHead(status, {
      "content-type": "application/xml",
      etag: page?.etag ?? '""',
      ...page?.headers,
    });
    response.end(isKnown ? undefined : page?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    requests,
    put(path, page) {
      version += 1;
      pages.set(path, { ...(typeof page === "string" ? { body: page } : page), etag: `"${version}"` });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

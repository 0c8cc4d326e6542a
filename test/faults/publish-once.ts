import { type Agent, request } from "node:http";

export interface PublishAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

interface Posted {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly agent: Agent;
  readonly body: Buffer;
}

/** Of silence. Milliseconds. */
const timeout = 3000;

/** One POST of a document; `undefined` where no whole answer came. */
export function publishOnce({ port, path, token, agent, body }: Posted): Promise<PublishAnswer | undefined> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/xml", authorization: `Bearer ${token}` };
    const sending = request(
      { host: "127.0.0.1", port, path, method: "POST", headers, agent, timeout },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () => {});
        response.on("close", () => {
          const { statusCode: status = 0, headers: got } = response;
          const text = Buffer.concat(chunks).toString();
          resolve(response.complete ? { status, text, retryAfter: got["retry-after"] } : undefined);
        });
      },
    );
    sending.on("timeout", () => sending.destroy());
    sending.on("error", () => resolve(undefined));
    sending.end(body);
  });
}

import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { NotAChannel, publishNotification } from "../../src/client/publish-notification.ts";
import { HubUnreachable } from "../../src/client/until-decided.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { freePort } from "../../bench/harness/free-port.ts";

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** Answers the requests in turn, and keeps what came; `cut` ends the connection without an answer. */
async function startAnswers(answers: readonly (Answer | "cut")[]) {
  const requests: { readonly headers: IncomingMessage["headers"]; readonly body: string }[] = [];
  const listener: RequestListener = (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const answer = answers[requests.length] ?? answers.at(-1)!;
      requests.push({ headers: request.headers, body });
      if (answer === "cut") request.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
    });
  };
  const server = createServer(listener);
  const origin = await listenOnLoopback(server);
  return {
    url: `${origin}/`,
    requests,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

const accepted: Answer = { status: 202, body: { position: "k3j9x2a1-1", changes: 1, warnings: [] } };
const away: Answer = {
  status: 503,
  headers: { "Retry-After": "0" },
  body: { title: "Storage", detail: "away" },
};

test("it tries again with the same Idempotency-Key while the hub is away, so that nothing is published twice", async () => {
  await using hub = await startAnswers(["cut", away, accepted]);
  const outcome = await publishNotification(hub.url, "<urlset/>", { token: "t" });
  expect(outcome).toEqual({ kind: "accepted", position: "k3j9x2a1-1", changes: 1, warnings: [] });
  expect(hub.requests).toHaveLength(3);
  expect(new Set(hub.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(hub.requests[0]).toMatchObject({
    body: "<urlset/>",
    headers: { authorization: "Bearer t", "content-type": "application/xml" },
  });
});

test("a refusal is given back with its faults, and not tried again", async () => {
  const fault = {
    rule: "CN03",
    severity: "error",
    message: "no change",
    line: 4,
    column: 2,
    path: "/urlset/url[1]",
  };
  await using hub = await startAnswers([
    { status: 422, body: { title: "The document breaks a rule", detail: "1 error", faults: [fault] } },
  ]);
  expect(await publishNotification(hub.url, "<urlset/>", { token: "t", idempotencyKey: "k" })).toEqual({
    kind: "refused",
    problem: { status: 422, title: "The document breaks a rule", detail: "1 error", faults: [fault] },
  });
  expect(hub.requests).toHaveLength(1);
  expect(hub.requests[0]?.headers["idempotency-key"]).toBe("k");
});

test("a hub that cannot be reached is an error that says that trying again can help", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const error: unknown = await publishNotification(url, "<urlset/>", { token: "t", attempts: 2 }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HubUnreachable);
  expect(error).toMatchObject({ mayRetry: true, message: expect.stringContaining("2 attempts") });
});

test("what is no channel is told apart from a hub that took the notification", async () => {
  await using hub = await startAnswers([{ status: 200, body: "hello" }]);
  await expect(publishNotification(hub.url, "<urlset/>", { token: "t" })).rejects.toThrow(NotAChannel);
});

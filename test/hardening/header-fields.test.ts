import { expect, test } from "vitest";
import { changeNotification } from "../support/documents.ts";
import { hasAnswer, rawConnection, rawRequest, requestText, statusesOf } from "../support/raw-request.ts";
import { publisherToken, startTestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

const topic = "/sets/maps/change-notification";
const authorised = [`Authorization: Bearer ${publisherToken}`, "Content-Type: application/xml"];
/** More than Node keeps of its own accord, in less than 16 KiB. */
const manyFields = Array.from({ length: 2500 }, () => "a:");

test("a header field behind thousands of others counts as one at their head", async () => {
  await using hub = await startTestHub();
  const body = changeNotification(1);
  const fields = [...manyFields, ...authorised, `Content-Length: ${body.length}`, "Connection: close"];
  expect(statusesOf(await rawRequest(hub.port, [requestText(`POST ${topic}`, fields, body)]))).toEqual([202]);
});

test("a length that stands behind thousands of fields is counted among the bodies that are held", async () => {
  await using hub = await startTestHub({ yaml: "limits: { bodiesBytes: 1MB }\n" });
  const length = "Content-Length: 800000";
  const holding = await rawConnection(hub.port);
  holding.write(requestText(`POST ${topic}`, [...manyFields, ...authorised, length], "<"));
  await waitUntil(async () => {
    const answer = await rawRequest(
      hub.port,
      [requestText(`POST ${topic}`, [...authorised, length], "<")],
      // Where the first does not hold its room yet, this one waits for its body.
      { until: hasAnswer, patience: 300 },
    );
    expect(statusesOf(answer)).toEqual([503]);
  });
  holding.destroy();
});

test.each([
  ["documents", requestText("GET /readyz")],
  ["publications without a token", requestText(`POST ${topic}`, ["Content-Length: 0"])],
  ["publications", requestText(`POST ${topic}`, [...authorised, "Content-Length: 0"])],
])(
  "who pipelines a thousand requests for %s without waiting for an answer is cut off",
  async (_what, one) => {
    await using hub = await startTestHub();
    const answer = await rawRequest(hub.port, [one.repeat(1000)]);
    expect(statusesOf(answer).length).toBeLessThanOrEqual(64);
    const metrics = await (await hub.get("/metrics")).text();
    expect(metrics).toMatch(/^hub_limited_total\{limit="unanswered"\} [1-9]/m);
  },
);

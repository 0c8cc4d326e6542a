import { once } from "node:events";
import { expect, test } from "vitest";
import { createEvents } from "../../src/observability/events.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { connectReader } from "../live/socket-reader.ts";
import { bearer, startPrivateHub } from "../support/private-hub.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";

const counted = async (hub: TestHub, metric: string): Promise<string[]> =>
  (await (await hub.get("/metrics")).text()).split("\n").filter((line) => line.startsWith(`${metric}{`));

test("a publication that is refused for its token is told of once, and not where its sender is held back", async () => {
  await using hub = await startTestHub({
    yaml: "trustProxy: [127.0.0.1]\nlimits: { requestsPerMinute: 2 }\n",
  });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const headers = { "X-Forwarded-For": "192.0.2.1" };
    statuses.push((await hub.publish("<a/>", { token: "rsp_wrong", headers })).status);
  }
  expect(statuses).toEqual([401, 401, 429, 429, 429]);
  expect(await counted(hub, "hub_access_refused_total")).toEqual([
    'hub_access_refused_total{status="401"} 2',
  ]);
  expect(await counted(hub, "hub_notifications_refused_total")).toEqual([]);
});

test("a refused WebSocket and a refused form at /websub count as requests refused for their token", async () => {
  await using hub = await startPrivateHub();
  const reader = connectReader(
    `${hub.baseUrl.replace("http", "ws")}/sets/secret/change-notification`,
    undefined,
    { headers: bearer("rss_wrong") },
  );
  await once(reader.socket, "unexpected-response");
  const metric = "hub_access_refused_total";
  expect(await counted(hub, metric)).toEqual([`${metric}{status="401"} 1`]);
  const form = await fetch(`${hub.baseUrl}/websub`, {
    method: "POST",
    headers: bearer("rss_wrong"),
    body: new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.topic": `${hub.baseUrl}/sets/secret/change-notification`,
      "hub.callback": "http://127.0.0.1:9/callback",
    }),
  });
  expect(form.status).toBe(401);
  expect(await counted(hub, metric)).toEqual([`${metric}{status="401"} 2`]);
});

test("a flood of signed tokens that are not believed leaves ten lines a minute in the log, and each is counted", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", format: "json" }, { write: (line) => void lines.push(line) });
  const metrics = createMetrics();
  const events = createEvents(logger, metrics);
  for (let n = 0; n < 500; n += 1) events.signedTokenRefused({ reason: "signature verification failed" });
  // The clock can go on to the next minute meanwhile.
  expect([10, 20]).toContain(lines.length);
  expect((await metrics.signedTokensRefused.get()).values[0]?.value).toBe(500);
});

test("who is told to wait gets the security headers of every answer", async () => {
  await using hub = await startTestHub({
    yaml: "trustProxy: [127.0.0.1]\nlimits: { requestsPerMinute: 1 }\n",
  });
  const ask = () => hub.get("/livez", { "X-Forwarded-For": "192.0.2.1" });
  await ask();
  const refused = await ask();
  expect([refused.status, refused.headers.get("x-content-type-options")]).toEqual([429, "nosniff"]);
});

import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { startHub } from "../../src/hub.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { startWorkplace } from "../configuration/load.ts";
import { operate } from "../support/operator.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { rawRequest, requestText, statusesOf } from "../support/raw-request.ts";
import { adminToken, startTestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

test("with admin.listen, operators' API and metrics are on that address and no longer on the public one", async () => {
  const port = await freePort();
  await using hub = await startTestHub({ admin: `, listen: { port: ${port} }` });
  const apart = { baseUrl: `http://127.0.0.1:${port}` };

  for (const path of ["/metrics", "/api/v1", "/api/v1/openapi.json", "/api/v1/subscriptions"]) {
    const absent = await hub.get("/nothing-here", { Authorization: `Bearer ${adminToken}` });
    const answer = await hub.get(path, { Authorization: `Bearer ${adminToken}` });
    expect([path, answer.status]).toEqual([path, 404]);
    expect((await answer.text()).replace(path, "")).toBe((await absent.text()).replace("/nothing-here", ""));
  }
  expect((await fetch(`${apart.baseUrl}/metrics`)).status).toBe(200);
  expect((await fetch(`${apart.baseUrl}/readyz`)).status).toBe(200);
  const links = await operate(apart, "");
  expect(await links.text()).toContain(`${apart.baseUrl}/api/v1/subscriptions`);
  expect((await operate(apart, "/subscriptions", { token: "" })).status).toBe(401);
});

test("what is public is not on the operators' address", async () => {
  const port = await freePort();
  await using hub = await startTestHub({ admin: `, listen: { port: ${port} }` });
  const paths = ["/", "/.well-known/resourcesync", "/sets/maps/change-notification", "/websub"];
  for (const path of paths) {
    const [apart, there] = [await fetch(`http://127.0.0.1:${port}${path}`), await hub.get(path)];
    expect([path, apart.status, there.status === 404]).toEqual([path, 404, false]);
  }
});

test("the operators' address can leave the token to tokens.json, and HUB_ADMIN_TOKEN leaves the address", async () => {
  await using workplace = await startWorkplace();
  const yaml = "listen: { port: 0 }\nadmin: { listen: { port: 0 } }\nstorage: { data: DATA }";
  const { config, tokens } = await workplace.load(yaml.replace("DATA", workplace.data));
  await using hub = await startHub(config, silentLogger);
  const [own, operators] = [new URL(hub.baseUrl), new URL(hub.operatorsUrl)];
  expect(operators.port).not.toBe(own.port);
  expect((await operate({ baseUrl: hub.operatorsUrl }, "/sets", { token: tokens?.admin ?? "" })).status).toBe(
    200,
  );

  const env = {
    HUB_ADMIN_TOKEN: "from-the-environment",
    HUB_CONFIG: workplace.file,
    HUB_DATA: workplace.data,
  };
  const { config: named } = await loadConfig({ flags: {}, env });
  expect(named.admin).toMatchObject({ listen: { port: 0 }, tokenSha256: expect.any(String) });
});

test("operators on an address of others without TLS are warned of", async () => {
  await using workplace = await startWorkplace();
  const { warnings } = await workplace.load("admin: { listen: { host: 0.0.0.0, port: 9090 } }");
  expect(warnings).toEqual([expect.stringMatching(/listens on 0\.0\.0\.0 without TLS/)]);
});

test("the operators' address has limits of its own: wrong tokens of one client end in 429, others and the public address go on", async () => {
  const port = await freePort();
  await using hub = await startTestHub({
    admin: `, listen: { port: ${port} }`,
    // What comes from this machine itself is not counted, but for what a proxy there says of others.
    yaml: "trustProxy: [127.0.0.1]\nlimits: { requestsPerMinute: 10 }\n",
  });
  const ask = async (client: string, token: string, at = `http://127.0.0.1:${port}`): Promise<Response> =>
    await fetch(`${at}/api/v1/sets`, {
      headers: { Authorization: `Bearer ${token}`, "X-Forwarded-For": client },
    });
  const guesses = [];
  for (let guess = 0; guess < 12; guess += 1) {
    guesses.push((await ask("198.51.100.7", `rshub_admin_guess-${guess}`)).status);
  }
  expect(guesses).toEqual([...Array<number>(10).fill(401), 429, 429]);

  const refused = await ask("198.51.100.7", adminToken);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await refused.text()).toContain("limits.requestsPerMinute");
  expect((await ask("203.0.113.9", adminToken)).status, "another client").toBe(200);
  expect((await operate({ baseUrl: `http://127.0.0.1:${port}` }, "/sets")).status, "this machine").toBe(200);
  expect((await ask("198.51.100.7", adminToken, hub.baseUrl)).status, "the public address").toBe(404);
});

test("the operators' address takes limits.connections connections, and more when some are closed", async () => {
  const port = await freePort();
  await using hub = await startTestHub({
    admin: `, listen: { port: ${port} }`,
    yaml: "limits: { connections: 10 }\n",
  });
  const held = Array.from({ length: 10 }, () => connect(port, "127.0.0.1"));
  await Promise.all(held.map((socket) => once(socket, "connect")));
  const ready = async (): Promise<number[]> =>
    statusesOf(await rawRequest(port, [requestText("GET /readyz", ["Connection: close"])]));
  expect(await ready()).toEqual([]);
  expect((await hub.get("/readyz")).status, "the public address").toBe(200);
  for (const socket of held) socket.destroy();
  await waitUntil(async () => expect(await ready()).toEqual([200]));
});

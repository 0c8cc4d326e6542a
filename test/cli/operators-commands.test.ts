import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";
import { operate } from "../support/operator.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { adminToken, publisherToken, startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { runCli } from "./run-cli.ts";

let hub: TestHub;
let callbacks: CallbackServer;
let id = "";
beforeAll(async () => {
  hub = await startTestHub();
  callbacks = await startCallbackServer();
  await subscribe(hub, callbacks, { target: `/${"long/".repeat(20)}resources` });
  const { subscriptions } = subscriptionPage.parse(await (await operate(hub, "/subscriptions")).json());
  id = subscriptions[0]?.id ?? "";
});
afterAll(async () => {
  await callbacks[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

const run = (args: readonly string[], token = adminToken) =>
  runCli(args, { HUB_URL: hub.baseUrl, HUB_ADMIN_TOKEN: token });

test("a table fits into 80 columns where there is no terminal, and --json has everything", async () => {
  const { code, output } = await run(["subscriptions"]);
  expect(code).toBe(0);
  const lines = output.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const { output: json } = await run(["subscriptions", "list", "--json"]);
  expect(JSON.parse(json)).toMatchObject({ id, callback: expect.stringContaining("long/long/") });
});

test("a subscription ends, and its callback is told so with the reason", async () => {
  await subscribe(hub, callbacks, { target: "/ending" });
  const listed = await operate(hub, "/subscriptions?callback=ending");
  const [ending] = subscriptionPage.parse(await listed.json()).subscriptions;
  const { code, output } = await run([
    "subscriptions",
    "delete",
    "--reason",
    "moved",
    "--",
    ending?.id.slice(0, 10) ?? "",
  ]);
  expect({ code, output }).toEqual({ code: 0, output: `Ended ${ending?.id} (${ending?.callback}).\n` });
  const denied = callbacks.verifications.find(({ parameters }) => parameters.get("hub.mode") === "denied");
  expect(denied?.parameters.get("hub.reason")).toBe("moved");
});

test("what follows the last attempt is decided for one subscription, and taken back", async () => {
  const set = (policy: string) => run(["subscriptions", "set", "--exhausted", policy, "--", id]);
  expect((await set("pause")).output).toBe(`${id} pauses when it gives up.\n`);
  expect((await set("default")).output).toBe(`${id} parks what it gives up, and goes on.\n`);
  const wrong = await set("forget");
  expect(wrong.code).toBe(2);
  expect(wrong.errors).toContain("park, pause, default");
});

test("what cannot be asked ends with 2, what the hub refuses with 1, each with what to do", async () => {
  const absent = `http://127.0.0.1:${await freePort()}`;
  const cases: [readonly string[], string, number, string][] = [
    [["subscriptions", "show", "abc"], adminToken, 2, "is no ID"],
    [["subscriptions", "show", "-3xQ9Zb"], adminToken, 2, "put -- before it"],
    [
      ["subscriptions", "show", "aaaaaaaa"],
      adminToken,
      2,
      "No subscription has an ID that begins with aaaaaaaa",
    ],
    [["subscriptions", "resume", "--", id], adminToken, 1, "is not paused"],
    [["subscriptions"], publisherToken, 1, "the publisher map-software"],
    [["deadletters", "resend"], adminToken, 2, "either the ID of a dead letter or --since"],
    [["deadletters", "drop", "--since", "yesterday"], adminToken, 1, "since"],
    [["subscriptions", "--hub", absent], adminToken, 2, "could not be reached"],
  ];
  for (const [args, token, expected, says] of cases) {
    const { code, errors } = await run(args, token);
    expect([args, code, errors]).toEqual([args, expected, expect.stringContaining(says)]);
  }
}, 60_000);

test("nothing that a hub says moves the terminal", async () => {
  const hostile = { id, channel: "a\u001b[2J", callback: "http://x/\u001b]0;title\u0007" };
  const server = createServer((_request, response) => {
    response.writeHead(409, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ title: "\u001b[31mred", detail: `no: ${hostile.callback}` }));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  try {
    const { code, output, errors } = await run(["subscriptions", "--hub", `http://127.0.0.1:${port}`]);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toContain("no: http://x/");
    expect(errors).not.toContain("\u001b");
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

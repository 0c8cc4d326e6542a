import { spawn } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { append, startLiveServer } from "../live/live-server.ts";
import { openEngine } from "../support/engines.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { changeNotification } from "../support/documents.ts";
import { waitUntil } from "../support/wait-until.ts";

const root = join(import.meta.dirname, "../..");

/** Runs one command in a process of its own, as `resourcesync-hub` does. */
function run(command: "listen" | "publish", args: readonly string[], { env = {}, input = "" } = {}) {
  const script = `
    import { ${command}Command } from ${JSON.stringify(join(root, `src/cli/${command}.ts`))};
    await ${command}Command().parseAsync(process.argv.slice(1), { from: "user" });`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script, "--", ...args],
    { cwd: root, env: { PATH: process.env["PATH"], NO_COLOR: "1", ...env } },
  );
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (err += data.toString()));
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    out: () => out,
    err: () => err,
    ended,
    stop: () => child.kill("SIGINT"),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function startHubAnswering(status: number, body: unknown) {
  const posted: { readonly authorization: string | undefined; readonly body: string }[] = [];
  const listener: RequestListener = (request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      if (request.method === "GET" && request.headers.upgrade === undefined) {
        response.end(changeNotification(1));
        return;
      }
      posted.push({ authorization: request.headers.authorization, body: text });
      response.writeHead(status).end(JSON.stringify(body));
    });
  };
  const server = createServer(listener);
  const url = `${await listenOnLoopback(server)}/`;
  return { url, posted, [Symbol.asyncDispose]: () => closeServer(server) };
}

const accepted = { position: "k3j9x2a1-7", changes: 2, warnings: [] };

test("listen prints each notification with its changes, and ends with 0 at Ctrl-C", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const { position } = await append(engine.log, server.channel, changeNotification(3));
  await using listen = run("listen", [server.url, "--after", "earliest"]);
  await waitUntil(() => expect(listen.err()).toContain("caught up"));
  await append(engine.log, server.channel, changeNotification(4));
  await waitUntil(() => expect(listen.out()).toContain("updated  https://maps.example.org/maps/4\n"));
  expect(listen.out()).toMatch(
    new RegExp(`^${position}  \\d{4}-.*Z\n  updated  https://maps\\.example\\.org/maps/3\n`),
  );
  listen.stop();
  expect(await listen.ended).toBe(0);
});

test("listen --json prints lines of JSON with the payload exactly as it was sent", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  await append(engine.log, server.channel, changeNotification(3));
  await using listen = run("listen", [server.url, "--after", "earliest", "--json"]);
  await waitUntil(() => expect(listen.out().split("\n")).toHaveLength(3));
  const [first, second] = listen.out().split("\n");
  expect(JSON.parse(first!)).toMatchObject({ type: "notification", payload: changeNotification(3) });
  expect(JSON.parse(second!)).toMatchObject({ type: "caught-up" });
});

test("listen shows what a notification holds, and no control character that a terminal would obey", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const url = "<url><loc>http://e.org/a?b&amp;c\u009b31m</loc><x:md change='created'/></url>";
  await append(engine.log, server.channel, `<urlset>${url}</urlset>`);
  await using listen = run("listen", [server.url, "--after", "earliest"]);
  await waitUntil(() => expect(listen.out()).toContain("  created  http://e.org/a?b&c\uFFFD31m\n"), 25);
});

test("listen ends with 1 where the hub refuses, and says why", async () => {
  await using hub = await startHubAnswering(404, { title: "No such channel", detail: "See the list." });
  await using listen = run("listen", [hub.url, "--after", "earliest"]);
  expect(await listen.ended).toBe(1);
  expect(listen.err()).toMatch(/^The hub answered 404: See the list\.$/m);
});

test("listen says at once what --after takes, also where no hub could", async () => {
  const url = `http://127.0.0.1:${await freePort()}/sets/maps/change-notification`;
  await using listen = run("listen", [url, "--after", "yesterday"]);
  expect(await listen.ended).toBe(2);
  expect(listen.err()).toMatch(/^--after is "yesterday"\. It takes a position .* earliest, or latest\.$/m);
});

test("publish builds a notification of the changes that adjoins the channel's latest one", async () => {
  await using hub = await startHubAnswering(202, accepted);
  await using publish = run(
    "publish",
    [
      hub.url,
      "--changed",
      "https://e.org/a?x&y",
      "--changed",
      "https://e.org/b",
      "--deleted",
      "https://e.org/c",
    ],
    { env: { HUB_TOKEN: "secret" } },
  );
  expect(await publish.ended).toBe(0);
  expect(publish.out()).toBe("Published at position k3j9x2a1-7: 2 changes.\n");
  expect(hub.posted[0]?.authorization).toBe("Bearer secret");
  expect(hub.posted[0]?.body).toMatch(/from="2026-11-20T00:20:00Z" until="2\d{3}-/);
  expect(hub.posted[0]?.body).toContain("<loc>https://e.org/a?x&amp;y</loc>");
  expect(hub.posted[0]?.body.match(/change="(updated|deleted)"/g)).toHaveLength(3);
});

test("publish - sends what stands on standard input, byte for byte", async () => {
  await using hub = await startHubAnswering(202, accepted);
  const input = changeNotification(5);
  await using publish = run("publish", [hub.url, "-", "--token", "secret"], { input });
  expect(await publish.ended).toBe(0);
  expect(hub.posted[0]?.body).toBe(input);
});

test("publish prints every fault of a refused document with its place, and ends with 1", async () => {
  const fault = {
    rule: "CN03",
    severity: "error",
    message: "no change",
    line: 4,
    column: 2,
    path: "/urlset/url[1]",
  };
  const faults = [fault, { ...fault, rule: "V03", line: 9 }];
  await using hub = await startHubAnswering(422, { title: "Breaks a rule", detail: "2 errors", faults });
  await using publish = run("publish", [hub.url, "-", "--token", "secret"], { input: "<urlset/>" });
  expect(await publish.ended).toBe(1);
  expect(publish.err()).toContain("error CN03, line 4, column 2 (/urlset/url[1]): no change\n");
  expect(publish.err()).toContain("error V03, line 9, column 2");
});

test("publish ends with 2 where nothing could be sent, and says what to do", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  await using withoutToken = run("publish", [url, "-"]);
  await using withoutChange = run("publish", [url, "--token", "t"]);
  await using withoutFile = run("publish", [url, "no-such-file.xml", "--token", "t"]);
  await using withBadUri = run("publish", [url, "--created", "maps/1", "--token", "t"]);
  await using toNobody = run("publish", [url, "-", "--token", "t"], { input: "<urlset/>" });
  const expected = [
    [withoutToken, /HUB_TOKEN/],
    [withoutChange, /either a file or changes/],
    [withoutFile, /no-such-file\.xml cannot be read/],
    [withBadUri, /"maps\/1", is not an absolute http/],
    [toNobody, /could not be reached/],
  ] as const;
  for (const [command, message] of expected) {
    expect(await command.ended).toBe(2);
    expect(command.err()).toMatch(message);
  }
});

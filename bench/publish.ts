/**
 * What publishing costs beside its durable write: POSTs of a 2 KB change notification to a whole hub with embedded storage, and
 * to a bare server that only reads the body and makes it durable in the same store. The sender is a process of its own.
 *
 *   npx tsx bench/publish.ts [notifications] [connections]
 */
import { fork } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { loadConfig } from "../src/config.ts";
import { startHub } from "../src/hub.ts";
import { openEmbeddedEnvironment } from "../src/log/embedded-environment.ts";
import { createEmbeddedNotificationLog } from "../src/log/embedded-notification-log.ts";
import { channelIdOf, parseSetId } from "../src/channels/channel.ts";
import { silentLogger } from "../src/observability/logger.ts";
import { sha256Hex } from "../src/protocol/hash.ts";
import { tokenSha256 } from "../src/security/access-token.ts";
import { compare, type Round, timed } from "./median.ts";

const token = "bench";
const path = "/sets/bench/change-notification";
const rounds = 3;

/** A valid notification of about 2 KB with the number in it, so that no two are equal. */
function notification(number: number): string {
  const entries = Array.from(
    { length: 10 },
    (_, index) => `  <url>
    <loc>https://maps.example.org/maps/${number}/sheet-${index}.jp2</loc>
    <rs:md change="updated" datetime="2026-11-20T09:00:00Z" length="48211907" type="image/jp2"/>
  </url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="change-notification" from="2026-11-20T09:00:00Z" until="2026-11-20T09:00:00Z"/>
${entries.join("\n")}
</urlset>
`;
}

/** The sending process: keeps `connections` requests under way. */
async function send(port: number, count: number, connections: number): Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const documents = Array.from({ length: count }, (_, index) => notification(index));
  process.send?.("ready");
  await new Promise((resolve) => process.once("message", resolve));
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < count) {
      const body = documents[next] ?? "";
      next += 1;
      const { statusCode, body: answer } = await pool.request({
        path,
        method: "POST",
        body,
        headers: { "content-type": "application/xml", authorization: `Bearer ${token}` },
      });
      await answer.dump();
      if (statusCode !== 202) throw new Error(`the server answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  await pool.close();
  process.send?.("done");
}

async function measure(port: number, count: number, connections: number): Promise<Round> {
  const child = fork(import.meta.filename, ["--send", String(port), String(count), String(connections)]);
  const told = (): Promise<unknown> => new Promise((resolve) => child.once("message", resolve));
  await told();
  return timed(count, async () => {
    const done = told();
    child.send("go");
    await done;
  });
}

async function ofHub(count: number, connections: number): Promise<Round> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const file = join(directory, "hub.yaml");
  await writeFile(
    file,
    `listen: { port: 0 }
storage: { data: "${directory}/data" }
sets: [{ id: bench }]
publishers: [{ name: bench, tokenSha256: ${tokenSha256(token)}, sets: [bench] }]
admin: { tokenSha256: ${tokenSha256("admin")} }
`,
  );
  const { config } = await loadConfig({ flags: { config: file }, env: {} });
  const hub = await startHub(config, silentLogger);
  const round = await measure(Number(new URL(hub.baseUrl).port), count, connections);
  await hub.close();
  await rm(directory, { recursive: true });
  return round;
}

async function ofBareServer(count: number, connections: number): Promise<Round> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const environment = await openEmbeddedEnvironment(directory);
  const log = createEmbeddedNotificationLog(environment);
  const set = parseSetId("bench");
  if (set === undefined) throw new Error("bench is a good id");
  const channel = channelIdOf(set, "change-notification");
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const payload = Buffer.concat(chunks);
      const rest = { interval: undefined, receipt: "", idempotencyKey: undefined, refuseOverlap: false };
      void log
        .append(channel, {
          payload,
          contentType: "application/xml",
          digest: sha256Hex(payload),
          repeatWindow: 1000,
          ...rest,
        })
        .then(() => response.writeHead(202).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const round = await measure(
    typeof address === "object" && address !== null ? address.port : 0,
    count,
    connections,
  );
  await new Promise((resolve) => server.close(resolve));
  await log.close();
  await environment.close();
  await rm(directory, { recursive: true });
  return round;
}

const numbers = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
if (process.argv.includes("--send")) {
  const [port = 0, count = 0, connections = 1] = numbers;
  await send(port, count, connections);
} else {
  const [count = 10_000, connections = 64] = numbers;
  const [ours, bare]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await ofHub(count, connections));
    bare.push(await ofBareServer(count, connections));
  }
  console.log(
    `Publishing ${count} notifications of ${notification(0).length} bytes, ${connections} connections, medians of ${rounds}`,
  );
  console.log(compare(ours, bare, ["hub: validated, durable, 202", "bare server: durable, 202"]));
}

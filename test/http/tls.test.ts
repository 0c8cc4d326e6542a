import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get, request, type RequestOptions } from "node:https";
import type { ClientRequest, IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { readTlsFiles } from "../../src/http/tls-files.ts";
import { writeCertificate } from "../support/certificate.ts";
import { changeNotification } from "../support/documents.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { publisherToken, startTestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

const answerTo = (asked: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    asked.once("response", resolve).once("error", reject);
  });

async function startSecureHub(more = "", yaml = "") {
  const directory = await mkdtemp(join(tmpdir(), "hub-tls-"));
  const { cert, key, ca } = writeCertificate(directory);
  const port = await freePort();
  const hub = await startTestHub({
    directory,
    port,
    yaml: `tls: { cert: "${cert}", key: "${key}"${more} }\n${yaml}`,
  });
  const ask = async (path: string, options: RequestOptions = {}, body = ""): Promise<IncomingMessage> => {
    const asked = request(`https://127.0.0.1:${port}${path}`, { ca, agent: false, ...options });
    asked.end(body);
    return await answerTo(asked);
  };
  return {
    hub,
    ca,
    ask,
    directory,
    port,
    async [Symbol.asyncDispose]() {
      await hub.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const channel = "/sets/maps/change-notification";
const publishing = {
  method: "POST",
  headers: { "content-type": "application/xml", authorization: `Bearer ${publisherToken}` },
};

test("with a certificate, documents, publishing, event streams and WebSockets go over TLS, and URLs say so", async () => {
  await using secure = await startSecureHub();
  const { hub, ca, ask } = secure;
  expect(hub.baseUrl).toMatch(/^https:/);
  expect((await ask(channel, publishing, changeNotification(1))).statusCode).toBe(202);
  const description = await ask("/.well-known/resourcesync");
  expect(await text(description)).toContain(`${hub.baseUrl}/sets/maps/capabilitylist.xml`);
  const list = await text(await ask("/sets/maps/capabilitylist.xml"));
  expect(list).toContain(`${hub.baseUrl.replace("https", "wss")}${channel}`);

  const socket = new WebSocket(`${hub.baseUrl.replace("https", "wss")}${channel}?after=earliest`, { ca });
  const frames: string[] = [];
  socket.on("message", (data) => frames.push(Buffer.isBuffer(data) ? data.toString() : ""));
  const events = await ask(`${channel}?after=earliest`, { headers: { accept: "text/event-stream" } });
  let streamed = "";
  events.on("data", (data: Buffer) => (streamed += data.toString()));
  await waitUntil(() => {
    expect(frames).toEqual([changeNotification(1)]);
    expect(streamed).toContain("event: notification");
  });
  socket.terminate();
  events.destroy();
});

test("HSTS goes with every answer over TLS on the port of https, which speaks for the whole host", async () => {
  await using secure = await startSecureHub("", "baseUrl: https://hub.example.org\n");
  for (const answer of [
    await secure.ask("/"),
    await secure.ask("/nothing"),
    await secure.ask(channel, publishing, changeNotification(1)),
  ]) {
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
    answer.resume();
  }
});

test("HSTS goes with no answer on another port, where it would speak for others, nor without TLS", async () => {
  await using secure = await startSecureHub();
  const answer = await secure.ask("/");
  answer.resume();
  expect(answer.headers["strict-transport-security"]).toBeUndefined();
  await using plain = await startTestHub({ yaml: "baseUrl: https://hub.example.org\n" });
  const unencrypted = await fetch(`http://127.0.0.1:${plain.port}/`);
  expect(unencrypted.headers.get("strict-transport-security")).toBeNull();
});

test("less than TLS 1.2 is refused; 1.3 alone where the configuration says so", async () => {
  const agrees = async (
    port: number,
    ca: string,
    version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3",
  ): Promise<boolean> => {
    const options = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const socket = connect({ host: "127.0.0.1", port, ca, ...options });
    const agreed = await Promise.race([
      once(socket, "secureConnect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return agreed;
  };
  await using usual = await startSecureHub();
  expect(await agrees(usual.port, usual.ca, "TLSv1.1")).toBe(false);
  expect(await agrees(usual.port, usual.ca, "TLSv1.2")).toBe(true);
  await using strict = await startSecureHub(', min: "1.3"');
  expect(await agrees(strict.port, strict.ca, "TLSv1.2")).toBe(false);
  expect(await agrees(strict.port, strict.ca, "TLSv1.3")).toBe(true);
});

test("an offer of h2c over TLS is passed over, and the request answered", async () => {
  await using secure = await startSecureHub();
  const headers = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" };
  const answer = await secure.ask("/livez", { headers });
  expect([answer.statusCode, await text(answer)]).toEqual([200, "alive\n"]);
});

test("a hub with TLS stops in order while a client is being answered", async () => {
  await using secure = await startSecureHub();
  const sending = request(`${secure.hub.baseUrl}${channel}`, { ca: secure.ca, ...publishing });
  sending.write(changeNotification(1).slice(0, 100));
  await new Promise<void>((resolve) => {
    sending.once("socket", (socket) => socket.once("secureConnect", () => resolve()));
  });
  // A request that was answered shows that the server has got as far as that.
  (await secure.ask("/livez")).resume();
  const closed = secure.hub.close();
  sending.end(changeNotification(1).slice(100));
  const answer = await answerTo(sending);
  expect(answer.statusCode).toBe(202);
  answer.resume();
  await closed;
});

test("who does not trust the certificate is not answered, and plain HTTP is not either", async () => {
  await using secure = await startSecureHub();
  await expect(once(get(secure.hub.baseUrl), "response")).rejects.toThrow(/self-signed/);
  await expect(fetch(secure.hub.baseUrl.replace("https", "http"))).rejects.toThrow("fetch failed");
});

test("files that are no certificate and key are told with what to do", async () => {
  await using secure = await startSecureHub();
  const other = writeCertificate(secure.directory, "other");
  const first = join(secure.directory, "hub.crt");
  await expect(readTlsFiles({ cert: first, key: other.key, min: "1.2" })).rejects.toThrow(
    /The certificate .*hub\.crt and the key .*other\.key cannot be used: .*key/,
  );
  await expect(readTlsFiles({ cert: "/nowhere.crt", key: other.key, min: "1.2" })).rejects.toThrow(
    /^tls\.cert cannot be read: ENOENT/,
  );
});

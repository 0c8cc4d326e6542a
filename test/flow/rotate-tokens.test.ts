import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { newToken, tokenSha256 } from "../../src/security/access-token.ts";
import { runCli } from "../cli/run-cli.ts";
import { connectReader } from "../live/socket-reader.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { writeCertificate } from "../support/certificate.ts";
import { changeNotification } from "../support/documents.ts";
import { type HubFile, writeHubFile } from "../support/hub-file.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { bearer } from "../support/private-hub.ts";
import { publisherToken } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";
import { formFor, postToHub } from "../support/websub-forms.ts";

const [next, reader, otherReader] = [newToken("publisher"), newToken("subscriber"), newToken("subscriber")];
const oldHash = tokenSha256(publisherToken);

const publish = (hub: HubFile, token: string, number: number): Promise<Response> =>
  fetch(`${hub.baseUrl}/sets/maps/change-notification`, {
    method: "POST",
    body: changeNotification(number),
    headers: { "Content-Type": "application/xml", ...bearer(token) },
  });

/** Adds a private set beside `maps`, and who may read it. */
async function addPrivateSet({ file }: HubFile, tokens: readonly string[]): Promise<void> {
  const text = await readFile(file, "utf8");
  const hashes = tokens.map((token) => tokenSha256(token)).join(", ");
  await writeFile(
    file,
    `${text
      .replace(/^subscribers: .*\n/m, "")
      .replace(
        "title: Historic maps }]",
        "title: Historic maps }, { id: secret, access: private }]",
      )}subscribers: [{ name: friend, tokenSha256: [${hashes}], sets: [secret] }]\n`,
  );
}

async function replace({ file }: HubFile, before: string, after: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toContain(before);
  await writeFile(file, text.replace(before, after));
}

test("a publisher's token is replaced without a restart: both work, then the new one alone; readers stay", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  await using hub = await startHubProcess(settings.file, settings.port);
  const reload = async (times: number): Promise<void> => {
    hub.signal("SIGHUP");
    await waitUntil(() =>
      expect(hub.output().split("tokens, certificates and keys were read anew").length - 1).toBe(times),
    );
  };
  using live = connectReader(`ws://127.0.0.1:${settings.port}/sets/maps/change-notification`);
  await live.opened();
  expect((await publish(settings, publisherToken, 1)).status).toBe(202);
  expect((await publish(settings, next, 2)).status).toBe(401);

  await replace(settings, oldHash, `[${oldHash}, ${tokenSha256(next)}]`);
  await reload(1);
  expect((await publish(settings, publisherToken, 2)).status).toBe(202);
  expect((await publish(settings, next, 3)).status).toBe(202);

  await replace(settings, `[${oldHash}, ${tokenSha256(next)}]`, tokenSha256(next));
  await reload(2);
  expect((await publish(settings, publisherToken, 4)).status).toBe(401);
  expect((await publish(settings, next, 4)).status).toBe(202);
  await waitUntil(() =>
    expect(live.payloads()).toEqual([1, 2, 3, 4].map((each) => changeNotification(each))),
  );
  expect(hub.output()).not.toContain(publisherToken);
  expect(await hub.end("SIGTERM")).toBe(0);
}, 60_000);

test("a file with a fault leaves the hub with the tokens that it had, and says what is wrong", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  await using hub = await startHubProcess(settings.file, settings.port);
  await replace(settings, oldHash, "swordfish");
  hub.signal("SIGHUP");
  await waitUntil(() =>
    expect(hub.output()).toMatch(/cannot be used.*|hub\.yaml:\d+:\d+ publishers\[0\]\.tokenSha256/),
  );
  expect(hub.output()).not.toContain("swordfish");
  expect((await publish(settings, publisherToken, 1)).status).toBe(202);
}, 60_000);

test("what cannot be changed without a restart is named", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  await using hub = await startHubProcess(settings.file, settings.port);
  await replace(settings, "timeout: 2s", "timeout: 3s");
  hub.signal("SIGHUP");
  await waitUntil(() =>
    expect(hub.output()).toMatch(/"sections":\["delivery"\].*other changes need a restart/),
  );
}, 60_000);

test("a reader of a private channel is let go when its token is taken away, and others stay", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  await addPrivateSet(settings, [reader, otherReader]);
  await using hub = await startHubProcess(settings.file, settings.port);
  const url = `ws://127.0.0.1:${settings.port}/sets/secret/change-notification`;
  using leaving = connectReader(url, "earliest", { headers: bearer(reader) });
  using staying = connectReader(url, "earliest", { headers: bearer(otherReader) });
  await Promise.all([leaving.opened(), staying.opened()]);
  let isThere = true;
  void staying.closed.then(() => (isThere = false));

  await addPrivateSet(settings, [otherReader]);
  hub.signal("SIGHUP");
  expect(await leaving.closed).toEqual({
    code: 4011,
    reason: expect.stringContaining("the token no longer opens this channel"),
  });
  expect(isThere).toBe(true);
}, 60_000);

test("a callback of a private channel is renewed with a token that opens it, not without one nor with one that was taken away", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  await addPrivateSet(settings, [reader, otherReader]);
  await using hub = await startHubProcess(settings.file, settings.port);
  await using callback = await startCallbackServer();
  const form = formFor(settings, callback.url(), {
    "hub.topic": `${settings.baseUrl}/sets/secret/change-notification`,
  });
  const ask = async (token?: string): Promise<number> =>
    (await postToHub(settings, form, token === undefined ? {} : bearer(token))).status;
  const asked = (times: number): Promise<void> =>
    waitUntil(() => expect(callback.verifications).toHaveLength(times));
  expect(await ask(reader)).toBe(202);
  await asked(1);
  expect(await ask()).toBe(404);
  expect(await ask(reader)).toBe(202);
  await asked(2);

  await addPrivateSet(settings, [otherReader]);
  hub.signal("SIGHUP");
  await waitUntil(() => expect(hub.output()).toContain("tokens, certificates and keys were read anew"));
  expect([await ask(reader), await ask()]).toEqual([401, 404]);
  // What is asked next of the same callback is the only question that came.
  expect(await ask(otherReader)).toBe(202);
  await asked(3);
}, 60_000);

test("a certificate is replaced without a restart", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  const { cert, key, ca } = writeCertificate(settings.directory);
  await writeFile(
    settings.file,
    `${(await readFile(settings.file, "utf8")).replace(/^baseUrl.*\n/m, "")}tls: { cert: "${cert}", key: "${key}" }\n`,
  );
  await using hub = await startHubProcess(settings.file, settings.port, {}, "unlimited", ca);
  const shown = async (): Promise<string> => {
    const socket = connect({ host: "127.0.0.1", port: settings.port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  expect(await runCli(["healthcheck", "--config", settings.file])).toMatchObject({
    code: 0,
    output: expect.stringContaining("ready"),
  });
  const before = await shown();
  writeCertificate(settings.directory);
  hub.signal("SIGHUP");
  await waitUntil(async () => expect(await shown()).not.toBe(before));
  const renewed = await shown();
  await writeFile(join(settings.directory, "hub.key"), "nonsense");
  hub.signal("SIGHUP");
  await waitUntil(() => expect(hub.output()).toContain("the hub goes on with what it had"));
  expect(await shown()).toBe(renewed);

  const other = writeCertificate(settings.directory, "other");
  await replace(settings, cert, other.cert);
  await replace(settings, key, other.key);
  hub.signal("SIGHUP");
  await waitUntil(async () => expect(await shown()).not.toBe(renewed));
  await waitUntil(() =>
    expect(hub.output().split("tokens, certificates and keys were read anew")).toHaveLength(3),
  );
  await replace(settings, "timeout: 2s", "timeout: 3s");
  hub.signal("SIGHUP");
  // What is told of this change was told after the one before.
  await waitUntil(() => expect(hub.output()).toContain("other changes need a restart"));
  expect(hub.output()).not.toMatch(/"sections":\[[^\]]*"tls"/);
}, 60_000);

test("the issuer's keys are said to be read anew once they are, and to stay where they cannot be had", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  const keys = join(settings.directory, "keys.json");
  await writeFile(keys, '{ "keys": [] }');
  const jwt = `jwt: { issuer: "https://login.example.org/", audience: hub, keys: "${keys}" }\n`;
  await writeFile(settings.file, `${await readFile(settings.file, "utf8")}${jwt}`);
  await using hub = await startHubProcess(settings.file, settings.port);
  await writeFile(keys, "nonsense");
  hub.signal("SIGHUP");
  await waitUntil(() => expect(hub.output()).toContain("the keys of the token issuer stay as they were"));
  expect(hub.output()).not.toContain("tokens, certificates and keys were read anew");
}, 60_000);

import { execFile } from "node:child_process";
import { get as httpGet, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problem } from "../support/answers.ts";
import { entriesOf, expectValid, link } from "../discovery/check.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub({
    yaml: `
sets:
  - { id: maps, describedBy: "https://maps.example.org/about" }
  - { id: stamps, capabilities: { changelist: "https://stamps.example.org/changelist.xml" } }
changeLists: { entries: 2, archive: true }
`,
  });
  for (const n of [1, 2, 3]) await hub.publish(changeNotification(n));
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
});

const folder = "/sets/maps";
const paths = ["changelist.xml", "changelists/1.xml", "changelists/2.xml", "changelist-archive.xml"].map(
  (path) => `${folder}/${path}`,
);
const text = async (path: string) => (await hub.get(path)).text();

interface Raw {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Without the decompression that fetch does by itself. */
async function raw(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  return await new Promise((resolve, reject) => {
    httpGet(`${hub.baseUrl}${path}`, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).on("error", reject);
  });
}

test("the Capability List names the hub's Change List and its archive, or the Source's own Change List", async () => {
  const list = await text(`${folder}/capabilitylist.xml`);
  expectValid(list);
  const named = entriesOf(list).map(({ loc, md }) => [md["capability"], loc]);
  expect(named.slice(0, 2)).toEqual([
    ["changelist", `${hub.baseUrl}${folder}/changelist.xml`],
    ["changelist-archive", `${hub.baseUrl}${folder}/changelist-archive.xml`],
  ]);
  const own = entriesOf(await text("/sets/stamps/capabilitylist.xml"));
  expect(own.filter(({ md }) => md["capability"]?.startsWith("changelist")).map(({ loc }) => loc)).toEqual([
    "https://stamps.example.org/changelist.xml",
  ]);
});

test("every document breaks no rule, is well-formed, and leads up to the Capability List", async () => {
  for (const path of paths) {
    const document = await text(path);
    expectValid(document);
    expect(link(document, "up")).toBe(`${hub.baseUrl}${folder}/capabilitylist.xml`);
    await wellFormed(document);
  }
});

test("a closed list may be kept for good; what can still change is asked for again", async () => {
  expect((await raw(paths[1]!)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await raw(paths[1]!)).headers["link"]).toMatch(/capabilitylist\.xml>; rel="resourcesync"$/);
  for (const path of [paths[0]!, paths[2]!, paths[3]!]) {
    expect((await raw(path)).headers["cache-control"]).toBe("no-cache");
  }
});

test("who takes gzip gets it, the same document, with an ETag of its own (RFC 9110 §8.8.3.3)", async () => {
  for (const path of paths) {
    const plain = await raw(path);
    const zipped = await raw(path, { "Accept-Encoding": "gzip, br" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers["content-type"]).toBe("application/xml");
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(zipped.headers.vary).toContain("Accept-Encoding");
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(zipped.headers.etag).not.toBe(plain.headers.etag);
    const refused = await raw(path, { "Accept-Encoding": "gzip;q=0" });
    expect(refused.body.equals(plain.body)).toBe(true);
  }
});

test("a conditional request for an unchanged list is answered 304, by ETag and, once its second is over, by date", async () => {
  for (const path of paths) {
    for (const encoding of ["gzip", "identity"]) {
      const headers = { "Accept-Encoding": encoding };
      const { etag = "" } = (await raw(path, headers)).headers;
      const again = await raw(path, { ...headers, "If-None-Match": etag });
      expect([path, again.status, again.headers.etag, again.body.length]).toEqual([path, 304, etag, 0]);
    }
    await waitUntil(async () => {
      const modified = (await raw(path)).headers["last-modified"] ?? "";
      expect((await raw(path, { "If-Modified-Since": modified })).status).toBe(304);
    });
  }
});

test("HEAD has the headers of GET and no body", async () => {
  for (const path of paths) {
    const get = await raw(path);
    const head = await fetch(`${hub.baseUrl}${path}`, {
      method: "HEAD",
      headers: { "Accept-Encoding": "identity" },
    });
    expect(head.headers.get("content-length")).toBe(get.headers["content-length"]);
    expect(head.headers.get("etag")).toBe(get.headers.etag);
  }
});

test("what is not there is a problem that says where to look", async () => {
  const faults = [
    ["/sets/nothing/changelist.xml", 404, "/.well-known/resourcesync"],
    [`${folder}/changelists/9.xml`, 404, `${folder}/capabilitylist.xml`],
    [`${folder}/changelists/01.xml`, 404, `${folder}/capabilitylist.xml`],
    [`${folder}/changelists/one.xml`, 404, `${folder}/capabilitylist.xml`],
    ["/sets/stamps/changelist.xml", 404, "https://stamps.example.org/changelist.xml"],
    ["/sets/stamps/changelist-archive.xml", 404, "https://stamps.example.org/changelist.xml"],
  ] as const;
  for (const [path, status, where] of faults) {
    const response = await hub.get(path);
    expect([path, response.status]).toEqual([path, status]);
    expect((await problem(response)).detail).toContain(where);
  }
  const wrong = await fetch(`${hub.baseUrl}${paths[0]}`, { method: "POST" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
});

async function wellFormed(document: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile("xmllint", ["--noout", "--nonet", "-"], (error) =>
      error === null ? resolve() : reject(error),
    );
    child.stdin?.end(document);
  });
}

import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { problem } from "../support/answers.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub({
    yaml: `
describedBy: https://maps.example.org/about
sets:
  - id: maps
    title: Historic maps
    describedBy: https://maps.example.org/about-the-maps
    capabilities: { resourcelist: "https://maps.example.org/resourcelist.xml" }
  - { id: letters, title: Letters, channels: websocket }
`,
  });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
});

const text = async (path: string) => (await hub.get(path)).text();

test("the Source Description names every set by its Capability List (core 1.1 §8)", async () => {
  expect(await text("/.well-known/resourcesync")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://maps.example.org/about"/>
  <rs:md capability="description"/>
  <url>
    <loc>${hub.baseUrl}/sets/maps/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="https://maps.example.org/about-the-maps"/>
  </url>
  <url>
    <loc>${hub.baseUrl}/sets/letters/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
  </url>
</urlset>
`);
});

test("a Capability List in the 1.0.1 form: the topic is loc, the socket a link of its own, the hub the last link (1.0.1 §5)", async () => {
  const list = await text("/sets/maps/capabilitylist.xml");
  expect(list).toContain(`<rs:ln rel="up" href="${hub.baseUrl}/.well-known/resourcesync"/>`);
  expect(list).toContain(`<loc>https://maps.example.org/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>`);
  expect(list).toContain(`  <url>
    <loc>${hub.baseUrl}/sets/maps/change-notification</loc>
    <rs:md capability="change-notification"/>
    <rs:ln rel="urn:ietf:rfc:6455" href="${hub.baseUrl.replace("http", "ws")}/sets/maps/change-notification"/>
    <rs:ln rel="hub" href="${hub.baseUrl}/websub"/>
  </url>`);
});

test("?profile=0.8 gives the form of notification 0.8 §3: loc is the ws:// URL, and there is no hub link", async () => {
  const list = await text("/sets/maps/capabilitylist.xml?profile=0.8");
  expect(list).toContain(`<loc>${hub.baseUrl.replace("http", "ws")}/sets/maps/framework-notification</loc>`);
  expect(list).not.toContain('rel="hub"');
});

test("a set can be configured to have the 0.8 form as its plain one", async () => {
  expect(await text("/sets/letters/capabilitylist.xml")).toContain("<loc>ws://");
  expect(await text("/sets/letters/capabilitylist.xml?profile=1.0.1")).toContain('rel="hub"');
});

test("every document validates against the structure of its schema's order: links and metadata before entries", async () => {
  for (const path of [
    "/.well-known/resourcesync",
    "/sets/maps/capabilitylist.xml",
    "/sets/letters/capabilitylist.xml",
  ]) {
    const document = await text(path);
    expect(document.indexOf("<url>")).toBeGreaterThan(document.indexOf("<rs:md"));
    await wellFormed(document);
  }
});

test("the hub's own documents keep every rule of the validator, in both forms", async () => {
  const described = {
    "/.well-known/resourcesync": ["SD03?"],
    "/sets/letters/capabilitylist.xml": ["CAP01?"],
  };
  const paths = [
    "/.well-known/resourcesync",
    "/sets/maps/capabilitylist.xml?profile=1.0.1",
    "/sets/maps/capabilitylist.xml?profile=0.8",
    "/sets/letters/capabilitylist.xml",
  ];
  for (const path of paths) {
    const { valid, faults } = validateDocument(Buffer.from(await text(path)));
    const ids = faults.map(({ rule, severity }) => (severity === "error" ? rule : `${rule}?`));
    // The set "letters" is configured without a document that describes it.
    expect([path, valid, ids]).toEqual([
      path,
      true,
      Object.entries(described).find(([of]) => of === path)?.[1] ?? [],
    ]);
  }
});

test("a conditional request for an unchanged document is answered 304, with the same ETag", async () => {
  const paths = [
    "/.well-known/resourcesync",
    "/sets/maps/capabilitylist.xml",
    "/sets/maps/change-notification",
  ];
  for (const path of paths) {
    const etag = (await hub.get(path)).headers.get("etag") ?? "";
    const again = await hub.get(path, { "If-None-Match": etag });
    expect([path, again.status, again.headers.get("etag")]).toEqual([path, 304, etag]);
  }
});

test("the ETag of a topic changes with the notification that it shows", async () => {
  const path = "/sets/maps/change-notification";
  const before = (await hub.get(path)).headers.get("etag") ?? "";
  await hub.publish(changeNotification(1));
  const after = await hub.get(path, { "If-None-Match": before });
  expect(after.status).toBe(200);
  expect(after.headers.get("last-modified")).not.toBeNull();
});

test("HEAD on a topic has the headers of GET and no body (rule H10)", async () => {
  const get = await hub.get("/sets/maps/change-notification");
  const head = await fetch(`${hub.baseUrl}/sets/maps/change-notification`, { method: "HEAD" });
  for (const name of ["content-type", "content-length", "link", "etag"]) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
  expect(await head.text()).toBe("");
});

test("the page for people names the sets and links to their Capability Lists (core 1.1 §6.3.3)", async () => {
  const page = await hub.get("/");
  expect(page.headers.get("link")).toContain(
    `<${hub.baseUrl}/sets/maps/capabilitylist.xml>; rel="resourcesync"`,
  );
  expect(await page.text()).toContain("Historic maps");
});

test("what is not there is a problem that says where to look; a wrong method says which are taken", async () => {
  const missing = await hub.get("/sets/stamps/capabilitylist.xml");
  expect(missing.status).toBe(404);
  expect((await problem(missing)).detail).toContain("/.well-known/resourcesync");
  const wrong = await fetch(`${hub.baseUrl}/websub`, { method: "PUT" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  expect((await hub.get("/sets/maps/capabilitylist.xml?profile=2")).status).toBe(400);
  expect((await hub.get("/sets/%E0%A4%A/capabilitylist.xml")).status).toBe(400);
});

test("readiness tests a write; metrics count what was published", async () => {
  expect((await hub.get("/livez")).status).toBe(200);
  expect((await hub.get("/readyz")).status).toBe(200);
  const metrics = await text("/metrics");
  expect(metrics).toContain('hub_notifications_published_total{channel="maps/change-notification"} 1');
});

async function wellFormed(document: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile("xmllint", ["--noout", "--nonet", "-"], (error) =>
      error === null ? resolve() : reject(error),
    );
    child.stdin?.end(document);
  });
}

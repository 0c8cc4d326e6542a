import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connectReader } from "../live/socket-reader.ts";
import { connectEventReader } from "../live/event-reader.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub } from "../support/start-hub.ts";
import { formFor } from "../support/websub-forms.ts";

const app = "https://app.example.org";
const evil = "https://evil.example.org";
const documents = [
  "/.well-known/resourcesync",
  "/sets/maps/capabilitylist.xml",
  "/sets/maps/change-notification",
  "/sets/maps/changelist.xml",
];

test("every answer says that its type is not to be guessed, and that nothing in it runs or is framed", async () => {
  await using hub = await startTestHub();
  for (const path of [
    "/",
    ...documents,
    "/nothing",
    "/livez",
    "/metrics",
    "/api/v1",
    "/validate",
    "/websub",
  ]) {
    const { headers } = await hub.get(path);
    expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("server")).toBeNull();
  }
  const published = await hub.publish(changeNotification(1));
  expect(published.headers.get("x-content-type-options")).toBe("nosniff");
});

test("the front page's policy allows its own style by its hash, and no script", async () => {
  await using hub = await startTestHub();
  const response = await hub.get("/");
  const policy = response.headers.get("content-security-policy") ?? "";
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(await response.text()) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).not.toMatch(/unsafe|script-src/);
});

test("pages of every origin may read what is public, unless the configuration says otherwise", async () => {
  await using hub = await startTestHub();
  for (const path of documents) {
    const { headers } = await hub.get(path, { Origin: evil });
    expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
  using events = await connectEventReader(`${hub.baseUrl}${documents[2]}`, { origin: evil });
  expect(events.response.headers["access-control-allow-origin"]).toBe("*");
  using socket = connectReader(`${hub.baseUrl.replace("http", "ws")}${documents[2]}`, undefined, {
    headers: { Origin: evil },
  });
  await socket.opened();
});

test("with cors.origins, only pages of these may read documents and event streams and open WebSockets", async () => {
  await using hub = await startTestHub({ yaml: `cors: { origins: ["${app}"] }\n` });
  for (const path of documents) {
    const allowed = await hub.get(path, { Origin: app });
    expect([path, allowed.headers.get("access-control-allow-origin")]).toEqual([path, app]);
    expect(allowed.headers.get("vary")).toContain("Origin");
    for (const headers of [{ Origin: evil }, { Origin: "null" }, { Origin: `${app}.evil.org` }, {}]) {
      const refused = await hub.get(path, headers);
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
      expect(refused.headers.get("vary")).toContain("Origin");
    }
  }
  const url = `${hub.baseUrl.replace("http", "ws")}${documents[2]}`;
  for (const [headers, mayOpen] of [
    [{ Origin: app }, true],
    [{}, true],
    [{ Origin: evil }, false],
    [{ Origin: "null" }, false],
  ] as const) {
    using socket = connectReader(url, undefined, { headers });
    const opened = await socket.opened().then(
      () => "opened",
      (error: Error) => error.message,
    );
    expect(opened).toBe(mayOpen ? "opened" : "Unexpected server response: 403");
  }
});

test("with cors.origins, no other page can have the hub subscribe a callback, fetch a topic or validate a document", async () => {
  await using hub = await startTestHub({ yaml: `cors: { origins: ["${app}"] }\n` });
  await using callback = await startCallbackServer();
  const send = (path: string, body: string, type: string, headers: Record<string, string>) =>
    fetch(`${hub.baseUrl}${path}`, { method: "POST", body, headers: { "Content-Type": type, ...headers } });
  const subscribing = formFor(hub, callback.url()).toString();
  const pinging = `hub.mode=publish&hub.url=${encodeURIComponent("https://maps.example.org/feed")}`;
  // Each of these types a page can send without asking first.
  const simple = "application/x-www-form-urlencoded";
  for (const headers of [{ Origin: evil }, { Origin: "null" }]) {
    for (const form of [subscribing, pinging]) {
      const answer = await send("/websub", form, simple, headers);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain("cors.origins");
    }
    expect((await send("/validate", "<urlset/>", "text/plain", headers)).status).toBe(403);
  }
  expect(callback.verifications).toEqual([]);
  for (const headers of [{}, { Origin: app }, { Origin: hub.baseUrl }]) {
    expect((await send("/websub", subscribing, simple, headers)).status).toBe(202);
    expect((await send("/validate", "<urlset/>", "application/xml", headers)).status).not.toBe(403);
  }
});

test("a browser that asks first whether it may send a token to a set is told yes, for reading only", async () => {
  await using hub = await startTestHub();
  for (const path of [...documents, "/sets/absent/change-notification"]) {
    const answer = await fetch(`${hub.baseUrl}${path}`, {
      method: "OPTIONS",
      headers: {
        Origin: app,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
      },
    });
    expect([path, answer.status]).toEqual([path, 204]);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD");
    expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization");
  }
});

test("no page of another origin may use the operators' API or publish", async () => {
  await using hub = await startTestHub();
  for (const path of ["/api/v1/subscriptions", "/websub", "/validate", "/metrics"]) {
    const answer = await fetch(`${hub.baseUrl}${path}`, {
      method: "OPTIONS",
      headers: { Origin: app, "Access-Control-Request-Method": "POST" },
    });
    expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, null]);
  }
});

test("a page of another origin that posts without asking first has no token to send, and changes nothing", async () => {
  await using hub = await startTestHub();
  // What a form or fetch in no-cors mode sends: one of three media types, and whatever cookies there are.
  const simple = { Origin: evil, Cookie: "token=rsp_test-publisher; session=1" };
  const topic = "/sets/maps/change-notification";
  const newest = async (): Promise<string> => (await hub.get(topic)).text();
  const before = await newest();
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"]) {
    for (const path of [topic, "/api/v1/subscriptions/any/resume"]) {
      const answer = await fetch(`${hub.baseUrl}${path}`, {
        method: "POST",
        body: changeNotification(1),
        headers: { ...simple, "Content-Type": type },
      });
      expect([path, type, answer.status]).toEqual([path, type, 401]);
    }
  }
  expect((await hub.publish(changeNotification(1), { token: "", headers: simple })).status).toBe(401);
  expect(await newest()).toBe(before);
  expect((await hub.publish(changeNotification(1))).status).toBe(202);
});

test("a proxy that is named tells whom the rate limit counts, and a client cannot", async () => {
  await using hub = await startTestHub({
    yaml: "trustProxy: [127.0.0.1]\nlimits: { validatesPerMinute: 1 }\n",
  });
  await using other = await startTestHub({ yaml: "limits: { validatesPerMinute: 1 }\n" });
  const validate = (at: string, client: string): Promise<number> =>
    fetch(`${at}/validate`, {
      method: "POST",
      body: changeNotification(1),
      headers: { "Content-Type": "application/xml", "X-Forwarded-For": client },
    }).then(({ status }) => status);
  expect(await validate(hub.baseUrl, "192.0.2.1")).toBe(200);
  expect(await validate(hub.baseUrl, "192.0.2.1")).toBe(429);
  expect(await validate(hub.baseUrl, "192.0.2.2")).toBe(200);
  expect(await validate(hub.baseUrl, "203.0.113.5, 192.0.2.2")).toBe(429);
  expect(await validate(other.baseUrl, "192.0.2.1")).toBe(200);
  expect(await validate(other.baseUrl, "192.0.2.2")).toBe(429);
});

import { describe, expect, test } from "vitest";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe as confirmedSubscription } from "../support/subscribe.ts";
import { startTopicServer, type TopicServer } from "../support/topic-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const atom = (title: string, { self = "/feed", hub = "" } = {}) => `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title>
<link rel="self" href="${self}"/><link rel="hub" href="${hub}"/></feed>
`;
const atomType = 'application/atom+xml;  charset="utf-8";type=feed';

const yaml = (topics: TopicServer): string => `topics: [{ match: "${topics.origin}/*" }]\n`;

function send(hub: TestHub, parameters: readonly (readonly [string, string])[]): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, value] of parameters) body.append(name, value);
  return fetch(`${hub.baseUrl}/websub`, { method: "POST", body });
}

const ping = (hub: TestHub, ...urls: readonly string[]): Promise<Response> =>
  send(hub, [...urls.map((url) => ["hub.url", url] as const), ["hub.mode", "publish"]]);

const subscribe = (hub: TestHub, callbacks: CallbackServer, topic: string, target?: string) =>
  confirmedSubscription(hub, callbacks, { topic, ...(target === undefined ? {} : { target }) });

async function metric(hub: TestHub, name: string, label = ""): Promise<number> {
  const text = await (await hub.get("/metrics")).text();
  const lines = text.split("\n").filter((line) => line.startsWith(name) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

const bodies = ({ deliveries }: CallbackServer): string[] => deliveries.map(({ body }) => body.toString());

describe.each(["embedded", "redis"] as const)("topics elsewhere, %s engine", (engine) => {
  test("an Atom feed that is pinged reaches its subscribers byte for byte, with its content type and discovered links", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ engine, yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    const written = `${hub.baseUrl.replace("http", "HTTP")}/websub`;
    const links = { self: `${topics.origin}/canonical`, hub: written };
    topics.put("/feed", { headers: { "Content-Type": atomType }, body: atom("first", links) });
    await subscribe(hub, callbacks, `${topics.origin}/feed`);
    const second = atom("zweites Ä", links);
    topics.put("/feed", {
      headers: { "Content-Type": atomType, "X-Other": "not to be forwarded", "Cache-Control": "no-cache" },
      body: second,
    });
    expect((await ping(hub, `${topics.origin}/feed`)).status).toBe(202);
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(1));
    const [delivery] = callbacks.deliveries;
    expect(delivery?.body.toString()).toBe(second);
    expect(delivery?.headers["content-type"]).toBe(atomType);
    expect(delivery?.headers["link"]).toBe(
      `<${written}>; rel="hub", <${topics.origin}/canonical>; rel="self"`,
    );
    expect(delivery?.headers).not.toHaveProperty("x-other");
    expect(delivery?.headers).not.toHaveProperty("cache-control");
    expect(await metric(hub, "hub_notifications_published_total", 'channel="elsewhere"')).toBe(1);
  });

  test("content that comes back is delivered again, content that did not change is not", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ engine, yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    const put = (body: string) =>
      topics.put("/data", { headers: { "Content-Type": "application/json" }, body });
    put('"a"');
    await subscribe(hub, callbacks, `${topics.origin}/data`);
    let pings = 0;
    for (const body of ['"a"', '"b"', '"a"', '"a"', '"b"']) {
      put(body);
      pings += 1;
      expect((await ping(hub, `${topics.origin}/data`)).status).toBe(202);
      await waitUntil(async () => expect(await metric(hub, "hub_topic_fetches_total")).toBe(pings));
    }
    await waitUntil(() => expect(bodies(callbacks)).toEqual(['"b"', '"a"', '"b"']));
    expect(await metric(hub, "hub_topic_fetches_total", '"unchanged"')).toBe(2);
  });

  test("a failed fetch is tried again by the hub that was started anew, and an error page is never relayed", async () => {
    await using topics = await startTopicServer();
    const first = await startTestHub({ engine, yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    topics.put("/page", { headers: { "Content-Type": "text/html" }, body: "<p>old" });
    await subscribe(first, callbacks, `${topics.origin}/page`);
    topics.put("/page", { status: 500, headers: { "Content-Type": "text/html" }, body: "<p>error" });
    expect((await ping(first, `${topics.origin}/page`)).status).toBe(202);
    await waitUntil(async () => expect(await metric(first, "hub_topic_fetches_total", '"failed"')).toBe(1));
    await first.close();
    topics.put("/page", { headers: { "Content-Type": "text/html" }, body: "<p>new" });
    const { directory, prefix } = first;
    await using second = await startTestHub({ engine, yaml: yaml(topics), directory, prefix });
    await waitUntil(() => expect(bodies(callbacks)).toEqual(["<p>new"]), 15);
    await second.close();
  });

  test("pings while a fetch runs are answered by one more fetch", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ engine, yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    topics.put("/data", { body: "1" });
    await subscribe(hub, callbacks, `${topics.origin}/data`);
    const before = topics.requests.length;
    let answer = (): void => {};
    const after = new Promise<void>((resolve) => (answer = resolve));
    topics.put("/data", { body: "2", after });
    await ping(hub, `${topics.origin}/data`);
    await waitUntil(() => expect(topics.requests.length).toBe(before + 1));
    topics.put("/data", { body: "3" });
    for (let n = 0; n < 5; n += 1) await ping(hub, `${topics.origin}/data`);
    answer();
    await waitUntil(() => expect(bodies(callbacks)).toEqual(["2", "3"]));
    await waitUntil(async () => expect(await metric(hub, "hub_topic_fetches_total")).toBe(2));
    expect(topics.requests.length).toBe(before + 2);
  });

  test("one ping names several topics, by hub.url, hub.topic and by their discovered self", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ engine, yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    const self = `<${topics.origin}/canonical>; rel="self"`;
    for (const path of ["/a", "/b", "/c", "/d"]) {
      topics.put(path, { headers: path < "/c" ? { Link: self } : {}, body: `old ${path}` });
      await subscribe(hub, callbacks, `${topics.origin}${path}`, path);
    }
    for (const path of ["/a", "/b", "/c", "/d"])
      topics.put(path, { headers: path < "/c" ? { Link: self } : {}, body: `new ${path}` });
    const response = await send(hub, [
      ["hub.topic", `${topics.origin}/canonical`],
      ["hub.url", `${topics.origin}/c`],
      ["unknown", "ignored"],
      ["hub.mode", "publish"],
      ["hub.url", `${topics.origin}/%64`],
    ]);
    expect(response.status).toBe(202);
    await waitUntil(() =>
      expect(bodies(callbacks).toSorted()).toEqual(["new /a", "new /b", "new /c", "new /d"]),
    );
  });

  test("a topic that cannot be fetched is denied at the callback, after the 202", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ engine, yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    callbacks.answerVerifications({ status: 200 });
    const topic = `${topics.origin}/missing`;
    const response = await send(hub, [
      ["hub.mode", "subscribe"],
      ["hub.topic", topic],
      ["hub.callback", callbacks.url()],
    ]);
    expect(response.status).toBe(202);
    await waitUntil(() => expect(callbacks.verifications).toHaveLength(1));
    const [denial] = callbacks.verifications;
    expect(denial?.parameters.get("hub.mode")).toBe("denied");
    expect(denial?.parameters.get("hub.topic")).toBe(topic);
    expect(denial?.parameters.get("hub.reason")).toContain("404");
  });
});

describe("what a topic's server can do", () => {
  test("a redirect is followed on the same origin, and the content of its target is what is relayed", async () => {
    await using topics = await startTopicServer();
    await using other = await startTopicServer();
    await using hub = await startTestHub({ yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    topics.put("/old", { status: 301, headers: { Location: "/new" } });
    topics.put("/new", { headers: { "Content-Type": "text/plain", ETag: '"1"' }, body: "1" });
    await subscribe(hub, callbacks, `${topics.origin}/old`);
    topics.put("/new", { headers: { "Content-Type": "text/plain", ETag: '"2"' }, body: "2" });
    await ping(hub, `${topics.origin}/old`);
    await waitUntil(() => expect(bodies(callbacks)).toEqual(["2"]));
    expect(topics.requests.at(-1)?.headers["if-none-match"]).toBe('"1"');
    expect(topics.requests.at(-2)?.headers).not.toHaveProperty("if-none-match");

    topics.put("/old", { status: 302, headers: { Location: `${other.origin}/secret` } });
    other.put("/secret", { body: "what only the hub can reach" });
    await ping(hub, `${topics.origin}/old`);
    await waitUntil(async () => expect(await metric(hub, "hub_topic_fetches_total", "given-up")).toBe(1));
    expect(other.requests).toEqual([]);
    expect(callbacks.deliveries).toHaveLength(1);
  });

  test("what has not changed is answered by 304 and read once", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    topics.put("/feed", { headers: { "Content-Type": atomType, ETag: 'W/"1"' }, body: atom("a") });
    await subscribe(hub, callbacks, `${topics.origin}/feed`);
    await ping(hub, `${topics.origin}/feed`);
    await waitUntil(async () => expect(await metric(hub, "hub_topic_fetches_total", "unchanged")).toBe(1));
    expect(topics.requests.at(-1)?.headers["if-none-match"]).toBe('W/"1"');
    expect(topics.requests.at(-1)?.headers["accept-encoding"]).toBe("identity");
  });

  test.each([
    ["too much", { body: "x".repeat(2000) }],
    ["a coding that nobody asked for", { headers: { "Content-Encoding": "gzip" }, body: "gz" }],
    ["a redirect to a private address", { status: 302, headers: { Location: "http://192.168.0.1/" } }],
    ["a topic that is gone", { status: 410, body: "gone" }],
  ])("%s is refused, and nothing is relayed", async (_name, answer) => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ yaml: `${yaml(topics)}limits: { topicBytes: 1kB }\n` });
    await using callbacks = await startCallbackServer();
    topics.put("/feed", { body: "small" });
    await subscribe(hub, callbacks, `${topics.origin}/feed`);
    topics.put("/feed", answer);
    await ping(hub, `${topics.origin}/feed`);
    await waitUntil(async () => expect(await metric(hub, "hub_topic_fetches_total", "given-up")).toBe(1));
    expect(callbacks.deliveries).toHaveLength(0);
  });

  test("an address that the guard refuses is denied", async () => {
    await using hub = await startTestHub({ yaml: "topics: [{ url: http://10.0.0.1/feed }]\n" });
    await using callbacks = await startCallbackServer();
    const asked = [
      ["hub.mode", "subscribe"],
      ["hub.topic", "http://10.0.0.1/feed"],
      ["hub.callback", callbacks.url()],
    ] as const;
    expect((await send(hub, asked)).status).toBe(202);
    await waitUntil(() => expect(callbacks.verifications).toHaveLength(1));
    expect(callbacks.verifications[0]?.parameters.get("hub.mode")).toBe("denied");
  });
});

describe("pings that are not taken whole", () => {
  test("every topic that the hub does not know or does not fetch is named, and the others are fetched", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ yaml: yaml(topics) });
    await using callbacks = await startCallbackServer();
    topics.put("/feed", { body: "1" });
    await subscribe(hub, callbacks, `${topics.origin}/feed`);
    topics.put("/feed", { body: "2" });
    const own = `${hub.baseUrl}/sets/maps/change-notification`;
    const response = await ping(hub, "https://nowhere.example/a", `${topics.origin}/feed`, own);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const lines = (await response.text()).trim().split("\n");
    expect(lines[0]).toContain("https://nowhere.example/a is not a topic of this hub");
    expect(lines[1]).toContain(`${own} is a topic at this hub`);
    expect(lines[2]).toBe("The other topics are fetched.");
    await waitUntil(() => expect(bodies(callbacks)).toEqual(["2"]));
    expect((await ping(hub, own)).status).toBe(403);
  });

  test("a topic that is admitted and that nobody subscribes to is taken, and not fetched; a hundred topics are the most", async () => {
    await using topics = await startTopicServer();
    await using hub = await startTestHub({ yaml: yaml(topics) });
    expect((await ping(hub, `${topics.origin}/feed`)).status).toBe(202);
    const many = Array.from({ length: 101 }, (_, n) => `${topics.origin}/${n}`);
    expect((await ping(hub, ...many)).status).toBe(400);
    expect((await ping(hub, ...many.slice(1))).status).toBe(202);
    expect(topics.requests).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";
import { formFor, postToHub, publishNext, topicOf, verifiedAtHub } from "../support/websub-forms.ts";

let hub: TestHub;
/** For requests whose verification nobody waits for. */
let busy: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  busy = await startTestHub({ yaml: "limits: { verificationsPerHost: 4 }\n" });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await busy[Symbol.asyncDispose]();
});

const next = () => publishNext(hub, changeNotification);

test("H1: the parameters come in any order", async () => {
  await using callback = await startCallbackServer();
  const parameters = [...formFor(hub, callback.url(), { "hub.secret": "s", "hub.lease_seconds": "60" })];
  expect(await verifiedAtHub(hub, new URLSearchParams(parameters.toReversed()))).toBe(true);
});

test.each([
  "application/x-www-form-urlencoded; charset=UTF-8",
  'application/x-www-form-urlencoded;charset="utf-8"',
  "Application/X-WWW-Form-URLEncoded; Charset=utf-8; x=y",
])("H1: a form is taken as %s", async (type) => {
  await using callback = await startCallbackServer();
  const form = formFor(busy, callback.url());
  expect((await postToHub(busy, form, { "Content-Type": type })).status).toBe(202);
});

test("H1: a form that says another charset is refused, not misread", async () => {
  await using callback = await startCallbackServer();
  const type = "application/x-www-form-urlencoded; charset=ISO-8859-1";
  const answer = await postToHub(hub, formFor(hub, callback.url()), { "Content-Type": type });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([415, "text/plain; charset=utf-8"]);
  expect(await answer.text()).toContain("this one says charset=ISO-8859-1");
  expect(callback.verifications).toEqual([]);
});

test("H1: only POST is taken", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const answer = await fetch(`${hub.baseUrl}/websub?${formFor(hub, "http://127.0.0.1:1/").toString()}`, {
      method,
    });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("H1: a parameter that says two things is refused, one that says the same thing twice is not", async () => {
  await using callback = await startCallbackServer();
  const form = formFor(busy, callback.url()).toString();
  const twice = await postToHub(busy, `${form}&hub.callback=${encodeURIComponent(callback.url("/other"))}`);
  expect([twice.status, await twice.text()]).toEqual([
    400,
    "hub.callback is given more than once; give it once.\n",
  ]);
  expect((await postToHub(busy, `${form}&hub.mode=subscribe`)).status).toBe(202);
});

test("H2, H3: a secret is counted in bytes of UTF-8: 199 are taken and sign, 200 are refused", async () => {
  await using callback = await startCallbackServer();
  const secret = `${"é".repeat(99)}x`;
  expect(await verifiedAtHub(hub, formFor(hub, callback.url(), { "hub.secret": secret }))).toBe(true);
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  expect(callback.deliveries[0]?.headers["x-hub-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
  const longer = await postToHub(hub, formFor(hub, callback.url(), { "hub.secret": "é".repeat(100) }));
  expect([longer.status, await longer.text()]).toEqual([
    400,
    "hub.secret has 200 bytes in UTF-8; at most 199 are allowed (WebSub §5.1).\n",
  ]);
});

test("H4: parameters that the hub does not know are ignored", async () => {
  await using callback = await startCallbackServer();
  const more = { "hub.verify": "sync", "hub.verify_token": "t", "hub.foo": "1", foo: "bar" };
  expect(await verifiedAtHub(hub, formFor(hub, callback.url(), more))).toBe(true);
  expect(callback.verifications[0]?.parameters.has("hub.verify_token")).toBe(false);
});

test("H5, H9: a subscription that is active is renewed: it is one subscription, and delivered to once", async () => {
  await using callback = await startCallbackServer();
  for (let i = 0; i < 3; i += 1) expect(await verifiedAtHub(hub, formFor(hub, callback.url()))).toBe(true);
  expect(await verifiedAtHub(hub, formFor(hub, callback.url("/other")))).toBe(true);
  await next();
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(4));
  expect(callback.deliveries.filter(({ target }) => target === "/other")).toHaveLength(2);
});

test("H6, H8: an unsubscribe request ends the subscription, whatever its lease says", async () => {
  await using callback = await startCallbackServer();
  await using other = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  await verifiedAtHub(hub, formFor(hub, other.url()));
  const lease = { "hub.mode": "unsubscribe", "hub.lease_seconds": "soon" };
  expect(await verifiedAtHub(hub, formFor(hub, callback.url(), lease))).toBe(true);
  await next();
  await waitUntil(() => expect(other.deliveries).toHaveLength(1));
  expect(callback.deliveries).toEqual([]);
});

test.each(["0", "-1", "1e3", "1.5", "+60", "0x3c", "soon", "\u0661"])(
  "H7: a lease of %j is refused: it must be a positive decimal integer",
  async (lease) => {
    const form = formFor(hub, "http://127.0.0.1:1/", { "hub.lease_seconds": lease });
    const answer = await postToHub(hub, form);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/^hub\.lease_seconds is .*positive decimal integer/),
    ]);
  },
);

test.each([
  ["77", "77"],
  ["0077", "77"],
  ["99999999", "2678400"],
  ["9".repeat(400), "2678400"],
  ["", "864000"],
])("H7, H46: who asks for a lease of %.12s seconds is granted %s", async (asked, granted) => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url(), { "hub.lease_seconds": asked }));
  expect(callback.verifications[0]?.parameters.get("hub.lease_seconds")).toBe(granted);
});

test.each(["ftp://127.0.0.1/c", "/c", "javascript:alert(1)", "file:///etc/passwd", "http://u:p@127.0.0.1/"])(
  "H13: %s is refused as a callback and as a topic",
  async (url) => {
    const answer = await postToHub(hub, formFor(hub, url, { "hub.topic": url }));
    expect(answer.status).toBe(400);
    const lines = (await answer.text()).trim().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["hub.topic", "hub.callback"]);
  },
);

test("H13: scheme and host may be in upper case", async () => {
  await using callback = await startCallbackServer();
  const shouted = callback.url("/Path").replace("http://", "HTTP://");
  const topic = topicOf(hub).replace("http://", "HTTP://");
  expect(await verifiedAtHub(hub, formFor(hub, shouted, { "hub.topic": topic }))).toBe(true);
  expect(callback.verifications[0]?.parameters.get("hub.topic")).toBe(topic);
  await next();
  await waitUntil(() => expect(callback.deliveries[0]?.target).toBe("/Path"));
});

test("H13: a callback may be at an IPv6 address", async () => {
  await using v6 = await startTestHub({ yaml: "outbound: { allow: ['::1'] }\n" });
  await using callback = await startCallbackServer("::1");
  expect(callback.url()).toMatch(/^http:\/\/\[::1\]:/);
  expect(await verifiedAtHub(v6, formFor(v6, callback.url()))).toBe(true);
  const document = await publishNext(v6, changeNotification);
  await waitUntil(() => expect(callback.deliveries[0]?.body.toString()).toBe(document));
});

test("H14: a topic that is not advertised here is refused", async () => {
  const answer = await postToHub(
    hub,
    formFor(hub, "http://127.0.0.1:1/", { "hub.topic": "https://e.org/feed" }),
  );
  expect([answer.status, await answer.text()]).toEqual([
    404,
    expect.stringContaining("is not a topic of this hub"),
  ]);
});

test("H15, H16: escapes of unreserved characters make no difference to what is subscribed; requests use what was written", async () => {
  await using callback = await startCallbackServer();
  const topic = topicOf(hub).replace("maps", "m%61ps");
  await verifiedAtHub(hub, formFor(hub, callback.url("/~c")));
  await verifiedAtHub(hub, formFor(hub, callback.url("/%7Ec"), { "hub.topic": topic }));
  expect(callback.verifications.map(({ target }) => target.split("?")[0])).toEqual(["/~c", "/%7Ec"]);
  expect(callback.verifications[1]?.parameters.get("hub.topic")).toBe(topic);
  await next();
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(2));
  expect(callback.deliveries.map(({ target }) => target)).toEqual(["/%7Ec", "/%7Ec"]);
});

test("H16, H17, H18: the callback's query is kept byte for byte, hub.* of its own included, and deliveries have it in the URL", async () => {
  await using callback = await startCallbackServer();
  const query = "?b=%7e+%20&a='x'|&hub.topic=mine&hub.mode=&hub.challenge=mine&&c";
  callback.answerVerifications(({ parameters }) => ({
    body: parameters.getAll("hub.challenge").at(-1) ?? "",
  }));
  expect(await verifiedAtHub(hub, formFor(hub, callback.url(`/c${query}`)))).toBe(true);
  expect(
    callback.verifications[0]?.target.startsWith(
      `/c${query}&hub.mode=subscribe&hub.topic=${encodeURIComponent(topicOf(hub))}&hub.challenge=`,
    ),
  ).toBe(true);
  const document = await next();
  await waitUntil(() => expect(callback.deliveries[0]?.target).toBe(`/c${query}`));
  expect(callback.deliveries[0]?.body.toString()).toBe(document);
});

test("H16: a callback as long as the hub takes is asked, and delivered to", async () => {
  await using callback = await startCallbackServer();
  const long = callback.url("/").padEnd(4096, "x");
  expect(await verifiedAtHub(hub, formFor(hub, long))).toBe(true);
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  expect((await postToHub(hub, formFor(hub, `${long}x`))).status).toBe(400);
});

test("H25: a host that left 30 requests unconfirmed is asked no more for a while", async () => {
  await using callback = await startCallbackServer();
  callback.answerVerifications({ status: 404 });
  for (let i = 0; i < 30; i += 1)
    expect(await verifiedAtHub(hub, formFor(hub, callback.url(`/${i}`)))).toBe(false);
  let answer = await postToHub(hub, formFor(hub, callback.url("/more")));
  // The metric moves a moment before the count does.
  await waitUntil(async () => {
    if (answer.status !== 429) answer = await postToHub(hub, formFor(hub, callback.url("/more")));
    expect(answer.status).toBe(429);
  });
  expect(await answer.text()).toContain("hub.challenge");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(500);
  expect(callback.verifications.length).toBeLessThan(33);
  await using other = await startCallbackServer();
  expect(await verifiedAtHub(hub, formFor(hub, other.url()))).toBe(true);
});

test("H19, H25: where callbacks are listed, any other is refused at once, and unsubscribing stays possible", async () => {
  await using callback = await startCallbackServer();
  await using listed = await startTestHub({
    yaml: `callbacks: { allow: ["${callback.origin}/mine/*"] }\n`,
  });
  expect(await verifiedAtHub(listed, formFor(listed, callback.url("/mine/1")))).toBe(true);
  const other = formFor(listed, callback.url("/mine/../other"));
  const answer = await postToHub(listed, other);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    403,
    "text/plain; charset=utf-8",
    expect.stringContaining("callbacks.allow"),
  ]);
  other.set("hub.mode", "unsubscribe");
  expect((await postToHub(listed, other)).status).toBe(202);
  expect(callback.verifications).toHaveLength(1);
});

test("H20, H21, H24: 202 comes before the verification ends, though the callback hangs", async () => {
  await using callback = await startCallbackServer();
  callback.answerVerifications({ hang: true });
  const answer = await postToHub(busy, formFor(busy, callback.url()));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([202, "text/plain; charset=utf-8"]);
  await waitUntil(() => expect(callback.verifications).toHaveLength(1));
});

test("H24, w3c/websub #22: callbacks that confirm, refuse, or are not to be called get the same answer", async () => {
  await using confirming = await startCallbackServer();
  await using refusing = await startCallbackServer();
  refusing.answerVerifications({ status: 404 });
  const callbacks = [confirming.url(), refusing.url(), "http://127.0.0.1:1/", "http://10.0.0.1/"];
  const answers = await Promise.all(callbacks.map((callback) => postToHub(busy, formFor(busy, callback))));
  const bodies = await Promise.all(answers.map(async (one) => `${one.status} ${await one.text()}`));
  expect(new Set(bodies).size).toBe(1);
});

test("H24: three equal requests at once are all taken, and hold nobody up", async () => {
  await using callback = await startCallbackServer();
  await using other = await startCallbackServer();
  callback.answerVerifications({ hang: true });
  const form = formFor(busy, callback.url());
  const answers = await Promise.all([1, 2, 3].map(() => postToHub(busy, form)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  await postToHub(busy, formFor(busy, other.url()));
  await waitUntil(() => expect(other.verifications).toHaveLength(1));
  expect(callback.verifications).toHaveLength(1);
});

test("H6, w3c/websub #120: unsubscribing what is not subscribed is taken, and asks nobody", async () => {
  await using callback = await startCallbackServer();
  await using later = await startCallbackServer();
  const form = formFor(hub, callback.url(), { "hub.mode": "unsubscribe" });
  expect((await postToHub(hub, form)).status).toBe(202);
  await verifiedAtHub(hub, formFor(hub, later.url()));
  expect(callback.verifications).toEqual([]);
});

test.each([
  ["no mode", 400, "hub.callback=http%3A%2F%2Fe.org%2F", {}, "hub.mode is missing"],
  ["nothing", 400, "", {}, "hub.callback is missing"],
  ["a mode that is none", 400, "hub.mode=denied", {}, 'hub.mode is "denied"'],
  ["a form that is too large", 413, "x".repeat(17_000), {}, "larger than 16384 bytes"],
  ["JSON", 415, "{}", { "Content-Type": "application/json" }, "application/x-www-form-urlencoded"],
  ["no type", 415, "hub.mode=subscribe", { "Content-Type": "" }, "application/x-www-form-urlencoded"],
  ["a compressed form", 415, "hub.mode=subscribe", { "Content-Encoding": "gzip" }, "send the body as it is"],
])("H22, H23: %s is %i, and plain text says what is wrong", async (_what, status, body, headers, says) => {
  const answer = await postToHub(hub, body, headers);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/plain; charset=utf-8"]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await answer.text()).toContain(says);
});

test("H22, H23: too many requests for one host are 429 with Retry-After, and the text says which host", async () => {
  await using callback = await startCallbackServer();
  callback.answerVerifications({ hang: true });
  const answers = [];
  for (let i = 0; i < 5; i += 1) answers.push(await postToHub(busy, formFor(busy, callback.url(`/${i}`))));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 429]);
  expect(answers[4]?.headers.get("retry-after")).toBe("30");
  expect(await answers[4]?.text()).toContain(new URL(callback.origin).host);
});

test("H26: nobody is sent to another hub", async () => {
  await using callback = await startCallbackServer();
  const forms = [formFor(busy, callback.url()), formFor(busy, "nowhere"), new URLSearchParams()];
  for (const form of forms) {
    const answer = await postToHub(busy, form);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.status).not.toBe(307);
    expect(answer.status).not.toBe(308);
  }
});

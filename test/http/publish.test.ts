import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeNotification, frameworkNotification } from "../support/documents.ts";
import { acceptance, problem } from "../support/answers.ts";
import { adminToken, startTestHub, type TestHub } from "../support/start-hub.ts";

describe.each(["embedded", "redis"] as const)("publishing to a channel, %s engine", (engine) => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub({ engine });
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
  });
  const positions = new Set<string>();

  test("a valid notification is answered 202 with its position, its number of changes and no warning", async () => {
    const response = await hub.publish(changeNotification(1));
    expect(response.status).toBe(202);
    const answer = await acceptance(response);
    expect(answer).toEqual({ position: expect.stringMatching(/^[0-9a-z]+-1$/), changes: 1, warnings: [] });
    positions.add(answer.position);
  });

  test("the same document again gets the first answer and is not appended again", async () => {
    const again = await hub.publish(changeNotification(1));
    expect(again.status).toBe(202);
    expect(positions).toContain((await acceptance(again)).position);
    const next = await hub.publish(changeNotification(2));
    expect((await acceptance(next)).position).toMatch(/-2$/);
  });

  test("an Idempotency-Key that came before with another document is refused, and says which it was", async () => {
    const headers = { "Idempotency-Key": "export-17" };
    const first = await hub.publish(changeNotification(3), { headers });
    expect(first.status).toBe(202);
    const reused = await hub.publish(changeNotification(4), { headers });
    expect(reused.status).toBe(422);
    expect((await problem(reused)).detail).toContain((await acceptance(first)).position);
  });

  test("a gap between intervals is relayed with warning S02; the repeat gets the same warning", async () => {
    const first = await acceptance(await hub.publish(changeNotification(9)));
    expect(first.warnings).toMatchObject([{ rule: "S02", severity: "warning" }]);
    expect(await acceptance(await hub.publish(changeNotification(9)))).toEqual(first);
  });

  test("what is refused leaves no trace in the log", async () => {
    const before = await (await hub.get("/sets/maps/change-notification")).text();
    const broken = changeNotification(10).replace('change="updated"', 'change="modified"');
    expect((await hub.publish(broken)).status).toBe(422);
    expect((await hub.publish("<urlset")).status).toBe(400);
    expect(await (await hub.get("/sets/maps/change-notification")).text()).toBe(before);
  });

  test("a document that breaks a rule gets 422 and every fault with rule, place and path (RFC 9457)", async () => {
    const broken = changeNotification(10).replace('change="updated"', 'change="modified"');
    const response = await hub.publish(broken);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const refusal = await problem(response);
    expect(refusal).toMatchObject({ status: 422, faults: [{ rule: "V20", severity: "error", line: 7 }] });
    expect(refusal.detail).toContain("V20 at line 7");
  });

  test("a framework notification on the change channel is refused by rule S01", async () => {
    const response = await hub.publish(frameworkNotification(1));
    expect(response.status).toBe(422);
    expect((await problem(response)).faults[0]?.rule).toBe("S01");
  });

  test("the topic shows the latest notification byte for byte, and nothing of an empty channel", async () => {
    const text = changeNotification(20);
    await hub.publish(text);
    const topic = await hub.get("/sets/maps/change-notification");
    expect(topic.headers.get("content-type")).toBe("application/xml");
    expect(await topic.text()).toBe(text);
    const empty = await hub.get("/sets/maps/framework-notification");
    expect([empty.status, empty.headers.get("content-length")]).toEqual([200, "0"]);
    expect(empty.headers.get("link")).toBe(
      `<${hub.baseUrl}/sets/maps/framework-notification>; rel="self", <${hub.baseUrl}/websub>; rel="hub", <${hub.baseUrl}/sets/maps/capabilitylist.xml>; rel="resourcesync"`,
    );
  });
});

describe("refusals", () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub({
      yaml: `
sets:
  - { id: maps }
  - { id: letters }
limits: { notificationBytes: 10kB }
`,
    });
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
  });

  const cases: [string, () => Promise<Response>, number, RegExp][] = [
    ["no token", () => hub.publish(changeNotification(1), { token: "" }), 401, /Authorization: Bearer/],
    ["an unknown token", () => hub.publish(changeNotification(1), { token: "guess" }), 401, /No publisher/],
    [
      "a set of others",
      () => hub.publish(changeNotification(1), { channel: "letters/change-notification" }),
      403,
      /map-software may not publish to the set letters\. Send the token of a publisher of that set/,
    ],
    [
      "the operators' token",
      () => hub.publish(changeNotification(1), { token: adminToken }),
      403,
      /^admin may not publish to the set maps\. Send the token of a publisher/,
    ],
    [
      "no such channel",
      () => hub.publish(changeNotification(1), { channel: "maps/news" }),
      404,
      /no channel maps\/news.*resourcesync/,
    ],
    [
      "another media type",
      () => hub.publish(changeNotification(1), { headers: { "Content-Type": "text/plain" } }),
      415,
      /application\/xml; this one came as text\/plain/,
    ],
    [
      "another charset",
      () => hub.publish("x", { headers: { "Content-Type": "application/xml; charset=latin1" } }),
      415,
      /charset=latin1/,
    ],
    [
      "a compressed body",
      () => hub.publish("x", { headers: { "Content-Encoding": "gzip" } }),
      415,
      /Content-Encoding gzip/,
    ],
    ["a body that is too large", () => hub.publish(" ".repeat(10_001)), 413, /10000 bytes.*series/],
    ["an empty body", () => hub.publish(""), 400, /X01/],
  ];
  test.each(cases)("%s is refused with the reason", async (_title, send, status, detail) => {
    const response = await send();
    expect(response.status).toBe(status);
    const refusal = await problem(response);
    expect(refusal.status).toBe(status);
    expect(refusal.detail).toMatch(detail);
  });

  test("a body without a length that grows too large is refused while it comes", async () => {
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(4096).fill(32));
      },
    });
    const request = fetch(`${hub.baseUrl}/sets/maps/change-notification`, {
      method: "POST",
      body: endless,
      duplex: "half",
      headers: { "Content-Type": "application/xml", Authorization: "Bearer rsp_test-publisher" },
    });
    const outcome = await request.then(
      (response) => response.status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(outcome);
  });

  test("a strict 1.0.1 channel refuses an overlap of intervals (S02)", async () => {
    await using strict = await startTestHub({ yaml: 'sets: [{ id: maps, profile: "1.0.1" }]\n' });
    expect((await strict.publish(changeNotification(5))).status).toBe(202);
    const overlap = await strict.publish(changeNotification(4));
    expect(overlap.status).toBe(422);
    expect((await problem(overlap)).faults).toMatchObject([{ rule: "S02", severity: "error" }]);
  });
});

describe("submitting to the hub URL (1.0.1 §4.1)", () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
  });
  const submit = (link: string, body: string) =>
    fetch(`${hub.baseUrl}/websub`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/xml", Link: link, Authorization: "Bearer rsp_test-publisher" },
    });

  test("Link headers that name topic and hub: 200, and the topic shows the document", async () => {
    const topic = `${hub.baseUrl}/sets/maps/change-notification`;
    const response = await submit(
      `<${topic}>;rel=self, <${hub.baseUrl}/websub>;rel=hub`,
      changeNotification(1),
    );
    expect(response.status).toBe(200);
    expect(await (await fetch(topic)).text()).toBe(changeNotification(1));
  });

  test("without rel=self, or with another hub, it is refused and says what to send", async () => {
    const topic = `${hub.baseUrl}/sets/maps/change-notification`;
    const noSelf = await submit(`<${hub.baseUrl}/websub>; rel="hub"`, changeNotification(2));
    expect(noSelf.status).toBe(400);
    expect((await problem(noSelf)).detail).toContain('rel="self"');
    const otherHub = await submit(
      `<${topic}>; rel="self", <https://hub.example.com/>; rel="hub"`,
      changeNotification(2),
    );
    expect(otherHub.status).toBe(400);
  });

  test("an unknown topic is 403 (rule H09)", async () => {
    const response = await submit(
      `<https://e.org/t>; rel=self, <${hub.baseUrl}/websub>; rel=hub`,
      changeNotification(2),
    );
    expect(response.status).toBe(403);
  });
});

test("the digest of what a Destination reads is that of what the Source sent, with characters of every length", async () => {
  await using hub = await startTestHub();
  const text = changeNotification(1).replace("</urlset>", "<!-- Zürich, 東京, 🗺 --></urlset>");
  await hub.publish(text);
  const received = Buffer.from(await (await hub.get("/sets/maps/change-notification")).arrayBuffer());
  const digest = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(received)).toBe(digest(text));
});

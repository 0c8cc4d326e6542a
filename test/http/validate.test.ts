import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportOf } from "../../src/protocol/validation-report.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { documentOf } from "../protocol/whole-document.ts";
import { problem } from "../support/answers.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub({ yaml: "limits: { validateBytes: 5MB, validatesPerMinute: 1000 }\n" });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
});

const validate = (document: string, query = "", at = hub) =>
  fetch(`${at.baseUrl}/validate${query}`, { method: "POST", body: document });

const entry = "<url><loc>https://maps.example.org/sheets/danube</loc></url>\n";
const large = documentOf("resource-list", { entries: entry.repeat(50_000) });

describe("POST /validate", () => {
  test("answers 200 with what validate --json says, for valid and invalid documents alike", async () => {
    const wrong = documentOf("change-list").replace("updated", "removed");
    for (const document of [documentOf("capability-list"), wrong, "no document"]) {
      const response = await validate(document);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(await response.json()).toEqual(reportOf("-", validateDocument(Buffer.from(document))));
    }
  });

  test("takes the type and the profile that are asked for", async () => {
    const list = documentOf("change-list");
    expect(await (await validate(list, "?as=resource-list")).json()).toMatchObject({
      valid: false,
      faults: expect.arrayContaining([expect.objectContaining({ rule: "S01" })]),
    });
    const old = documentOf("source-description").replace('"description"', '"resourcesync"');
    expect(await (await validate(old, "?profile=lenient")).json()).toMatchObject({ valid: true });
    expect((await problem(await validate(list, "?as=changelist"))).detail).toContain("change-list");
    expect((await problem(await validate(list, "?profile=2"))).detail).toContain("1.0.1");
  });

  test("a large document is read in a thread of its own, while the hub answers others", async () => {
    const begun = performance.now();
    // Of 20 ms each, counted, since a machine that is busy or stood still skips some.
    const windowOf = () => Math.floor((performance.now() - begun) / 20);
    const awake = new Set<number>();
    const heartbeat = setInterval(() => awake.add(windowOf()), 5);
    const [answers, alive] = await Promise.all([
      Promise.all([validate(large), validate(large)]),
      hub.get("/livez"),
    ]);
    clearInterval(heartbeat);
    expect(alive.status).toBe(200);
    for (const answer of answers)
      expect(await answer.json()).toMatchObject({ valid: true, type: "resource-list" });
    expect(awake.size).toBeGreaterThan(windowOf() / 2);
  });

  test("a client that leaves ends the thread, and the next one is served", async () => {
    const leaving = new AbortController();
    const left = fetch(`${hub.baseUrl}/validate`, {
      method: "POST",
      body: large,
      signal: leaving.signal,
    });
    setImmediate(() => leaving.abort());
    await expect(left).rejects.toThrow("abort");
    expect((await validate(large)).status).toBe(200);
  });

  test("what is too large is refused with advice, and other methods too", async () => {
    const response = await validate(" ".repeat(5_000_001));
    expect(response.status).toBe(413);
    expect((await problem(response)).detail).toContain("resourcesync-hub validate");
    const get = await hub.get("/validate");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

test("who asks too often is told when to come again", async () => {
  await using strict = await startTestHub({ yaml: "limits: { validatesPerMinute: 2 }\n" });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1)
    statuses.push((await validate(documentOf("change-list"), "", strict)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await validate("", "", strict);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(20);
  expect((await problem(refused)).detail).toContain("2 documents a minute");
});

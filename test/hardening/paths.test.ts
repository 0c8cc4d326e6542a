import { describe, expect, test } from "vitest";
import { changeNotification } from "../support/documents.ts";
import { rawRequest, requestText, statusesOf } from "../support/raw-request.ts";
import { publisherToken, testHubForAll } from "../support/start-hub.ts";

const topic = "/sets/maps/change-notification";
const close = "Connection: close";
const publication = [`Authorization: Bearer ${publisherToken}`, "Content-Type: application/xml"];

describe("paths that no link of the hub has", () => {
  const hub = testHubForAll();

  const send = (...request: Parameters<typeof requestText>): Promise<string> =>
    rawRequest(hub().port, [requestText(...request)]);
  const newest = async (): Promise<string> => (await hub().get(topic)).text();

  test.each([
    ["/sets/maps/../../metrics", 404, 404],
    ["/sets/maps/..%2f..%2fmetrics", 404, 404],
    ["/sets/%2e%2e/change-notification", 404, 404],
    ["/sets/..%5c..%5cetc%5cpasswd/change-notification", 404, 404],
    ["/sets/maps%00/change-notification", 404, 404],
    ["/sets/maps/change-notification%00.xml", 404, 405],
    ["/sets/maps%2fchange-notification", 404, 404],
    ["/sets/MAPS/change-notification", 404, 404],
    ["/sets/maps/change-notification;a=b", 404, 404],
    ["/sets//change-notification", 404, 404],
    ["//sets/maps/change-notification", 404, 404],
    ["/./sets/maps/change-notification", 404, 404],
    ["/sets/__proto__/change-notification", 404, 404],
    ["/sets/constructor/change-notification", 404, 404],
    ["/sets/maps/constructor", 404, 404],
    ["/sets/maps/__proto__", 404, 404],
    ["/sets/maps/changelists/..%2f..%2f..%2ftokens.json", 404, 405],
    ["/sets/maps/changelists/%2e%2e%2ftokens.json", 404, 405],
    ["/sets/maps/resourcelists/..%2f..%2ftokens.json", 404, 405],
    ["/tokens.json", 404, 404],
    ["/data/tokens.json", 404, 404],
    ["/../../../../etc/passwd", 404, 404],
    ["/.git/config", 404, 404],
    ["/api/v1/../../metrics", 401, 403],
    ["/API/v1/sets", 401, 403],
    ["/api/v1/sets%2f..", 401, 403],
  ])("path traversal: %s leads to nothing", async (path, toGet, toPost) => {
    const read = await send(`GET ${path}`, [close]);
    expect(statusesOf(read)).toEqual([toGet]);
    expect(read).not.toMatch(/root:|"publisher"|hub_notifications/);
    const body = changeNotification(77);
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const before = await newest();
    const written = await send(`POST ${path}`, [...publication, length, close], body);
    expect(statusesOf(written)).toEqual([toPost]);
    expect(await newest()).toBe(before);
  });

  test.each(["%", "%zz", "%c0%ae", "%ff", "\u00e9", "%E0%80%AF"])(
    "an escape that is none, or that is not UTF-8 (%j), is a fault of the request and none of the hub",
    async (piece) => {
      const answer = await send(`GET /sets/${piece}/change-notification`, [close]);
      expect(statusesOf(answer)).toEqual([400]);
    },
  );
});

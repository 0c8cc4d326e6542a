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
    "/sets/maps/../../metrics",
    "/sets/maps/..%2f..%2fmetrics",
    "/sets/%2e%2e/change-notification",
    "/sets/..%5c..%5cetc%5cpasswd/change-notification",
    "/sets/maps%00/change-notification",
    "/sets/maps/change-notification%00.xml",
    "/sets/maps%2fchange-notification",
    "/sets/MAPS/change-notification",
    "/sets/maps/change-notification;a=b",
    "/sets//change-notification",
    "//sets/maps/change-notification",
    "/./sets/maps/change-notification",
    "/sets/__proto__/change-notification",
    "/sets/constructor/change-notification",
    "/sets/maps/constructor",
    "/sets/maps/__proto__",
    "/sets/maps/changelists/..%2f..%2f..%2ftokens.json",
    "/sets/maps/changelists/%2e%2e%2ftokens.json",
    "/sets/maps/resourcelists/..%2f..%2ftokens.json",
    "/tokens.json",
    "/data/tokens.json",
    "/../../../../etc/passwd",
    "/.git/config",
    "/api/v1/../../metrics",
    "/API/v1/sets",
    "/api/v1/sets%2f..",
  ])("path traversal: %s leads to nothing", async (path) => {
    const read = await send(`GET ${path}`, [close]);
    expect(statusesOf(read).every((status) => status === 404 || status === 400 || status === 401)).toBe(true);
    expect(read).not.toMatch(/root:|"publisher"|hub_notifications/);
    const body = changeNotification(77);
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const before = await newest();
    const written = await send(`POST ${path}`, [...publication, length, close], body);
    expect(statusesOf(written).filter((status) => status < 400)).toEqual([]);
    expect(await newest()).toBe(before);
  });

  test.each(["%", "%zz", "%c0%ae", "%ff", "\u00e9", "%E0%80%AF"])(
    "an escape that is none, or that is not UTF-8 (%j), is a fault of the request and none of the hub",
    async (piece) => {
      const answer = await send(`GET /sets/${piece}/change-notification`, [close]);
      expect([400, 404]).toContain(statusesOf(answer)[0]);
    },
  );
});

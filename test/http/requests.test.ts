import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { connectReader } from "../live/socket-reader.ts";
import { changeNotification } from "../support/documents.ts";
import { rawConnection, rawRequest, requestText } from "../support/raw-request.ts";
import { publisherToken, testHubForAll } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("requests as other clients and proxies write them", () => {
  const hub = testHubForAll();

  const exchange = (...writes: string[]): Promise<string> => rawRequest(hub().port, writes);

  const h2c = ["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA"];
  const publishing = (target: string, body: string, ...more: string[]): string =>
    requestText(
      `POST ${target}`,
      [
        `Authorization: Bearer ${publisherToken}`,
        "Content-Type: application/xml",
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...more,
      ],
      body,
    );

  test("a client that offers h2c, as Java's does with every first request, gets its answer over HTTP/1.1", async () => {
    const offer = ["Connection: Upgrade, HTTP2-Settings", ...h2c];
    const answer = await exchange(
      requestText("GET /livez", offer),
      requestText("GET /nothing", ["Connection: close"]),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain("alive");
    expect(answer).toContain("HTTP/1.1 404");
  });

  test("a notification that comes with an offer of h2c is published, however its body is cut", async () => {
    const body = changeNotification(1, { padding: `<!--${"x".repeat(200_000)}-->` });
    const request = publishing(
      "/sets/maps/change-notification",
      body,
      "Connection: close, Upgrade, HTTP2-Settings",
      ...h2c,
    );
    const answer = await exchange(request.slice(0, 900), request.slice(900, 70_000), request.slice(70_000));
    expect(answer).toMatch(/^HTTP\/1\.1 202/);
    expect(await (await hub().get("/sets/maps/change-notification")).text()).toBe(body);
  });

  test("a request target in absolute form is taken (RFC 9112 §3.2.2)", async () => {
    const target = `${hub().baseUrl}/sets/maps/change-notification`;
    expect(await exchange(publishing(target, changeNotification(2), "Connection: close"))).toMatch(
      /^HTTP\/1\.1 202/,
    );
  });

  test("a slash at the end, or a query, makes no other channel of it", async () => {
    for (const [number, more] of [
      [3, "/"],
      [4, "?from=backup.xml"],
    ] as const) {
      const response = await fetch(`${hub().baseUrl}/sets/maps/change-notification${more}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${publisherToken}`, "Content-Type": "application/xml" },
        body: changeNotification(number),
      });
      expect([more, response.status]).toEqual([more, 202]);
    }
  });

  test("a socket that is asked for where there is no channel is refused by the path that was asked for", async () => {
    const reader = connectReader(`${hub().baseUrl.replace("http", "ws")}/sets/maps/nothing?token=secret`);
    const refused = once(reader.socket, "unexpected-response");
    const response: unknown = (await refused)[1];
    expect(response).toMatchObject({ statusCode: 404 });
  });

  test("a sender that goes away in the middle of its body is no failure of the hub", async () => {
    const socket = await rawConnection(hub().port);
    socket.write(publishing("/sets/maps/change-notification", "x".repeat(1000)).slice(0, -500));
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    const refused = async (): Promise<string> =>
      (await (await hub().get("/metrics")).text())
        .match(/^hub_notifications_refused_total\{.*$/gm)
        ?.join(" ") ?? "";
    await waitUntil(async () => expect(await refused()).toContain('status="400"'));
    expect(await refused()).not.toContain('status="500"');
  });
});

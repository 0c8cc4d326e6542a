import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { acceptance } from "../support/answers.ts";
import { changeNotification } from "../support/documents.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { publisherToken, startTestHub } from "../support/start-hub.ts";

test("below a base URL with a path, requests are taken with and without that path, as proxies pass either", async () => {
  const port = await freePort();
  await using hub = await startTestHub({
    port,
    yaml: `baseUrl: http://127.0.0.1:${port}/resourcesync/hub\n`,
  });
  const origin = `http://127.0.0.1:${port}`;

  for (const [index, prefix] of ["", "/resourcesync/hub"].entries()) {
    const channel = `${prefix}/sets/maps/change-notification`;
    const list = await (await fetch(`${origin}${prefix}/sets/maps/capabilitylist.xml`)).text();
    expect(list).toContain(`<loc>${hub.baseUrl}/sets/maps/change-notification</loc>`);

    const published = await fetch(`${origin}${channel}`, {
      method: "POST",
      body: changeNotification(index + 1),
      headers: { "Content-Type": "application/xml", Authorization: `Bearer ${publisherToken}` },
    });
    expect(published.status).toBe(202);
    const { position } = await acceptance(published);
    expect(position).toMatch(new RegExp(`-${index + 1}$`));

    const socket = new WebSocket(`ws://127.0.0.1:${port}${channel}?after=earliest`);
    const [first] = await new Promise<Buffer[]>((resolve, reject) => {
      socket.once("message", (data: Buffer) => resolve([data])).once("error", reject);
    });
    expect(first?.toString()).toBe(changeNotification(1));
    socket.terminate();
  }
  expect((await fetch(`${origin}/resourcesync/hubs/livez`)).status).toBe(404);
});

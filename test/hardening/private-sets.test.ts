import { expect, test } from "vitest";
import { closeCodes } from "../../src/live/close-codes.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { bearer, startPrivateHub, strangerToken, subscriberToken } from "../support/private-hub.ts";
import { adminToken, publisherToken, type TestHub } from "../support/start-hub.ts";
import { formFor, postToHub } from "../support/websub-forms.ts";
import { waitUntil } from "../support/wait-until.ts";
import { connectEventReader } from "../live/event-reader.ts";
import { connectReader } from "../live/socket-reader.ts";

const garbage = "not-a-token-of-this-hub";

/** Everything below a set that can be asked for. */
const paths = [
  "capabilitylist.xml",
  "capabilitylist.xml?profile=0.8",
  "change-notification",
  "framework-notification",
  "no-such-kind",
  "resourcelist.xml",
  "resourcelists/1.xml",
  "changelist.xml",
  "changelist-archive.xml",
  "changelists/1.xml",
  "",
];

/** Status, headers and body, with the name of the set and what is different each time taken out. */
async function seen(response: Response, set: string): Promise<string> {
  const headers = [...response.headers].filter(([name]) => !["date", "content-length"].includes(name));
  const text = `${response.status}\n${JSON.stringify(headers)}\n${await response.text()}`;
  return text.replaceAll(set, "SET");
}

const both = async (ask: (set: string) => Promise<Response>): Promise<readonly [string, string]> => [
  await seen(await ask("secret"), "secret"),
  await seen(await ask("absent"), "absent"),
];

test("whoever may not read a private set is answered as if it were not there, at every path and method", async () => {
  await using hub = await startPrivateHub();
  for (const token of [undefined, garbage, strangerToken, adminToken]) {
    const headers = token === undefined ? {} : bearer(token);
    for (const path of paths) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
        const [there, absent] = await both((set) =>
          fetch(`${hub.baseUrl}/sets/${set}/${path}`, { method, headers }),
        );
        expect(`${method} ${path} ${there}`).toBe(`${method} ${path} ${absent}`);
      }
    }
  }
});

test("publishing to a private set without a right to it is answered as if it were not there", async () => {
  await using hub = await startPrivateHub();
  for (const token of ["", garbage, strangerToken]) {
    const [there, absent] = await both((set) =>
      hub.publish(changeNotification(2), { channel: `${set}/change-notification`, token }),
    );
    expect(there).toBe(absent);
    const toHub = (set: string): Promise<Response> =>
      fetch(`${hub.baseUrl}/websub`, {
        method: "POST",
        body: changeNotification(2),
        headers: {
          "Content-Type": "application/xml",
          Link: `<${hub.baseUrl}/sets/${set}/change-notification>; rel="self", <${hub.baseUrl}/websub>; rel="hub"`,
          ...(token === "" ? {} : bearer(token)),
        },
      });
    const [thereAtHub, absentAtHub] = await both(toHub);
    expect(thereAtHub).toBe(absentAtHub);
  }
});

test("requests about a private topic are answered as if it were not there: subscribe, unsubscribe, publish", async () => {
  await using hub = await startPrivateHub();
  await using callback = await startCallbackServer();
  for (const token of [undefined, garbage, strangerToken]) {
    for (const mode of ["subscribe", "unsubscribe", "publish"]) {
      const [there, absent] = await both((set) =>
        fetch(`${hub.baseUrl}/websub`, {
          method: "POST",
          headers: token === undefined ? {} : bearer(token),
          body: new URLSearchParams({
            "hub.mode": mode,
            "hub.topic": `${hub.baseUrl}/sets/${set}/change-notification`,
            ...(mode === "publish" ? {} : { "hub.callback": callback.url() }),
          }),
        }),
      );
      expect(there).toBe(absent);
    }
  }
  expect(callback.verifications).toEqual([]);
});

test("a ping does not tell which Change Lists the hub looks at for a private set", async () => {
  await using hub = await startPrivateHub();
  const ping = async (list: string, token?: string): Promise<Response> =>
    fetch(`${hub.baseUrl}/websub`, {
      method: "POST",
      headers: token === undefined ? {} : bearer(token),
      body: new URLSearchParams({ "hub.mode": "publish", "hub.url": `https://letters.example.org/${list}` }),
    });
  expect(await seen(await ping("list.xml"), "list")).toBe(await seen(await ping("absent.xml"), "absent"));
  expect((await ping("list.xml", strangerToken)).status).toBe(202);
});

async function refusedUpgrade(hub: TestHub, set: string, headers: Record<string, string>): Promise<string> {
  using reader = connectReader(
    `${hub.baseUrl.replace("http", "ws")}/sets/${set}/change-notification`,
    "earliest",
    { headers },
  );
  const { response, body } = await new Promise<{ response: string; body: string }>((resolve, reject) => {
    reader.socket.once("open", () => reject(new Error("it was let in")));
    reader.socket.once("unexpected-response", (_request, answer) => {
      let text = "";
      answer.on("data", (data: Buffer) => (text += data.toString()));
      answer.on("end", () =>
        resolve({ response: `${answer.statusCode} ${JSON.stringify(answer.headers)}`, body: text }),
      );
    });
  });
  return `${response}\n${body}`.replaceAll(set, "SET").replace(/"content-length":"\d+"/, "");
}

test("a WebSocket to a private channel without a right to it is refused as if there were none", async () => {
  await using hub = await startPrivateHub();
  for (const token of [undefined, garbage, strangerToken]) {
    const headers = token === undefined ? {} : bearer(token);
    expect(await refusedUpgrade(hub, "secret", headers)).toBe(await refusedUpgrade(hub, "absent", headers));
  }
});

test("no public page, document or metric names a private set", async () => {
  await using hub = await startPrivateHub();
  for (const path of ["/", "/.well-known/resourcesync", "/robots.txt", "/metrics", "/api/v1/openapi.json"]) {
    const response = await hub.get(path);
    const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
    expect(response.status).toBe(200);
    expect(text).not.toMatch(/secret\/|sets\/secret|Hidden|treasures|other\/|letters\.example/);
  }
  const metrics = await (await hub.get("/metrics", bearer(adminToken))).text();
  expect(metrics).toContain('channel="secret/change-notification"');
});

test("whoever holds a subscriber's token reads its set and finds it in the Source Description", async () => {
  await using hub = await startPrivateHub();
  const headers = bearer(subscriberToken);
  const description = await hub.get("/.well-known/resourcesync", headers);
  const text = await description.text();
  expect(text).toContain("/sets/maps/");
  expect(text).toContain("/sets/secret/");
  expect(text).not.toContain("/sets/other/");
  for (const path of ["capabilitylist.xml", "change-notification", "changelist.xml"]) {
    expect([path, (await hub.get(`/sets/secret/${path}`, headers)).status]).toEqual([path, 200]);
  }
});

test("what is said of a private set is never kept by a shared cache", async () => {
  await using hub = await startPrivateHub();
  for (const path of [
    "/sets/secret/changelist.xml",
    "/sets/secret/change-notification",
    "/.well-known/resourcesync",
  ]) {
    const { headers } = await hub.get(path, bearer(subscriberToken));
    expect([path, headers.get("cache-control"), headers.get("vary")]).toEqual([
      path,
      "private, no-cache",
      expect.stringContaining("Authorization"),
    ]);
  }
});

test("a subscriber may read and not publish", async () => {
  await using hub = await startPrivateHub();
  const options = { channel: "secret/change-notification", token: subscriberToken };
  expect((await hub.publish(changeNotification(2), options)).status).toBe(403);
});

test("its publisher may read a private set", async () => {
  await using hub = await startPrivateHub();
  expect((await hub.get("/sets/secret/change-notification", bearer(publisherToken))).status).toBe(200);
});

test("an event stream and a WebSocket of a private channel take the token in the header", async () => {
  await using hub = await startPrivateHub();
  const headers = bearer(subscriberToken);
  const url = `${hub.baseUrl}/sets/secret/change-notification`;
  using events = await connectEventReader(`${url}?after=earliest`, headers);
  using socket = connectReader(url.replace("http", "ws"), "earliest", { headers });
  await waitUntil(() => {
    expect(events.events.map(({ event }) => event)).toContain("notification");
    expect(socket.payloads()).toEqual([changeNotification(1)]);
  });
});

test("a browser puts the token of a WebSocket among its subprotocols, and it is not sent back", async () => {
  await using hub = await startPrivateHub();
  const url = `${hub.baseUrl.replace("http", "ws")}/sets/secret/change-notification`;
  const carrier = `resourcesync-hub.bearer.${Buffer.from(subscriberToken).toString("base64url")}`;
  using plain = connectReader(url, "earliest", { protocols: ["resourcesync-hub.v1+xml", carrier] });
  using json = connectReader(url, "earliest", { protocols: [carrier, "resourcesync-hub.v1+json"] });
  await plain.opened();
  await json.opened();
  expect([plain.socket.protocol, json.socket.protocol]).toEqual([
    "resourcesync-hub.v1+xml",
    "resourcesync-hub.v1+json",
  ]);
  await waitUntil(() => {
    expect(plain.frames.map(String)).toEqual([changeNotification(1)]);
    expect(json.payloads()).toEqual([changeNotification(1)]);
  });
});

test("a token in the URL opens nothing: URLs stand in logs", async () => {
  await using hub = await startPrivateHub();
  const path = `/sets/secret/change-notification?access_token=${subscriberToken}`;
  expect((await hub.get(path)).status).toBe(404);
});

test("a callback of an authorised subscriber receives what a private channel brings", async () => {
  await using hub = await startPrivateHub();
  await using callback = await startCallbackServer();
  const asked = await fetch(`${hub.baseUrl}/websub`, {
    method: "POST",
    headers: bearer(subscriberToken),
    body: new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.topic": `${hub.baseUrl}/sets/secret/change-notification`,
      "hub.callback": callback.url(),
    }),
  });
  expect(asked.status).toBe(202);
  await waitUntil(() => expect(callback.verifications.length).toBe(1));
  await waitUntil(async () => {
    const text = await (await hub.get("/metrics")).text();
    expect(text).toMatch(/hub_intent_verifications_total\{.*outcome="confirmed".*\} 1/);
  });
  await hub.publish(changeNotification(2), { channel: "secret/change-notification" });
  await waitUntil(() =>
    expect(callback.deliveries.map(({ body }) => String(body))).toEqual([changeNotification(2)]),
  );
});

test("a public set is read as ever, with any token or with none", async () => {
  await using hub = await startPrivateHub();
  await using callback = await startCallbackServer();
  for (const headers of [{}, bearer(garbage)]) {
    expect((await hub.get("/sets/maps/change-notification", headers)).status).toBe(200);
    expect((await hub.get("/.well-known/resourcesync", headers)).status).toBe(200);
  }
  const topic = `${hub.baseUrl}/sets/maps/change-notification`;
  expect((await postToHub(hub, formFor(hub, callback.url()))).status).toBe(202);
  expect(topic).toContain("maps");
  expect(closeCodes.accessEnded).toBe(4011);
});

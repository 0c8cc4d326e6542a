import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSetId } from "../../src/channels/channel.ts";
import { discoverLinks } from "../../src/protocol/discovered-links.ts";
import { parseHttpUrl } from "../../src/protocol/http-url.ts";
import { formatLinkHeader, parseLinkHeader } from "../../src/protocol/link-header.ts";
import { callbackWith, parseHubForm } from "../../src/protocol/websub.ts";
import { bearerTokenOf } from "../../src/security/access-token.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { publisherToken, startTestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { rawRequest, statusesOf } from "../support/raw-request.ts";
import { waitUntil } from "../support/wait-until.ts";

const injections = [
  "\r\nX-Injected: 1",
  "\nX-Injected: 1",
  "\rX-Injected: 1",
  "\u2028X-Injected: 1",
  "\u560d\u560aX-Injected: 1",
  "%0d%0aX-Injected:%201",
  "\0",
  '"; rel="hub',
  '>; rel="hub", <https://evil.example/',
];
const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.constantFrom(...injections).map((text) => `https://e.org/${text}`),
);
const seed = 20261121;

describe("header injection", () => {
  test("whatever a link leads to, the Link field is one line of ASCII, and says one link", () => {
    fc.assert(
      fc.property(anything, (href) => {
        const field = formatLinkHeader([{ href, rel: "self" }]);
        expect(field).toMatch(/^[\u0020-\u007e]*$/);
        const links = parseLinkHeader([field]);
        expect(links.map(({ rels }) => rels)).toEqual([["self"]]);
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("what is sent as a request line has no space, control character or letter beyond ASCII", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = parseHttpUrl(text);
        const sent = "fault" in parsed ? "" : parsed.origin + parsed.target;
        expect(sent).toMatch(/^[\u0021-\u007e]*$/);
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("parameters that the hub adds to a callback's query cannot be broken out of", () => {
    fc.assert(
      fc.property(anything, (topic) => {
        const url = callbackWith("https://e.org/c?own=1", { "hub.topic": topic, "hub.mode": "subscribe" });
        const { searchParams } = new URL(url);
        expect([...searchParams.keys()]).toEqual(["own", "hub.topic", "hub.mode"]);
        expect(url).toMatch(/^[\u0021-\u007e]*$/);
      }),
      // encodeURIComponent throws where half of a pair stands alone, and such a text is none that a form can bring.
      { seed, numRuns: 1000, examples: injections.map((text) => [text] as [string]) },
    );
  });

  test.each(["hub.topic", "hub.callback"])("a line break in %s is a fault of the form", (name) => {
    for (const injection of ["\r\nX-Injected: 1", "\n", "\r", "\0", " ", "\t"]) {
      const form = new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": "https://e.org/t",
        "hub.callback": "https://e.org/c",
      });
      form.set(name, `https://e.org/${injection}x`);
      const parsed = parseHubForm(Buffer.from(form.toString()));
      expect(parsed).toMatchObject({ kind: "faults", faults: [expect.stringContaining(name)] });
    }
  });

  test("what a fetched page calls its hub and itself can bring no header of its own", () => {
    for (const injection of injections) {
      for (const [contentType, body] of [
        [
          "text/html",
          `<link rel="self" href="https://e.org/${injection}"><link rel="hub" href='${injection}'>`,
        ],
        [
          "application/atom+xml",
          `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://e.org/${injection.replaceAll(/["<]/g, "")}"/></feed>`,
        ],
      ] as const) {
        const found = discoverLinks({
          url: "https://e.org/",
          linkHeader: `<https://e.org/${injection}>; rel="self"`,
          contentType,
          body: Buffer.from(body),
        });
        const hrefs = Object.values(found)
          .flat()
          .filter((value) => typeof value === "string");
        for (const href of hrefs) {
          expect(formatLinkHeader([{ href, rel: "self" }])).toMatch(/^[\u0020-\u007e]*$/);
        }
      }
    }
  });

  test.each(injections)("a token with %j is no token", (injection) => {
    expect(bearerTokenOf(`Bearer abc${injection}`)).toBeUndefined();
  });

  test("a callback and a secret with escaped line breaks make one delivery, with the headers of every other", async () => {
    await using hub = await startTestHub();
    await using callback = await startCallbackServer();
    await subscribe(hub, callback, { target: "/c?x=%0d%0aX-Injected:%201", secret: "s\r\nX-Injected: 1" });
    await hub.publish(changeNotification(1));
    await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
    const [delivery] = callback.deliveries;
    expect(delivery?.target).toBe("/c?x=%0d%0aX-Injected:%201");
    expect(delivery?.headers).not.toHaveProperty("x-injected");
  });

  test("what a request says of itself comes back in no header", async () => {
    await using hub = await startTestHub();
    const port = Number(new URL(hub.baseUrl).port);
    const path = "/sets/maps/%0d%0aX-Injected:%201?after=%0d%0aX-Injected:%201";
    for (const method of ["GET", "POST", "DELETE"]) {
      const lines = [
        `${method} ${path} HTTP/1.1`,
        "Host: evil.example",
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: javascript",
        `Authorization: Bearer ${publisherToken}`,
        "Content-Type: application/xml; x=%0d%0aX-Injected: 1",
        "Idempotency-Key: a%0d%0aX-Injected: 1",
        "Content-Length: 0",
        "Connection: close",
        "",
        "",
      ];
      const answer = await rawRequest(port, [lines.join("\r\n")]);
      expect(statusesOf(answer)).toHaveLength(1);
      const [head = ""] = answer.split("\r\n\r\n");
      expect(head).not.toMatch(/x-injected|evil\.example/i);
    }
    // The hub calls itself by its configuration, whatever host it is asked by.
    const answer = await rawRequest(port, [
      [
        "GET / HTTP/1.1",
        "Host: evil.example",
        "X-Forwarded-Host: evil.example",
        "Connection: close",
        "",
        "",
      ].join("\r\n"),
    ]);
    expect(statusesOf(answer)).toEqual([200]);
    expect(answer).not.toContain("evil.example");
  });
});

describe("path traversal", () => {
  test.each([
    "..",
    ".",
    "../maps",
    "a/b",
    "a\\b",
    "%2e%2e",
    "a\0",
    "-a",
    ".a",
    "",
    "a".repeat(65),
    "ä",
    "a\n",
    "__proto__",
  ])("%j is no id of a set", (id) => {
    expect(parseSetId(id)).toBeUndefined();
  });
});

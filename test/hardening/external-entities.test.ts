import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readers } from "../fuzz/readers.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { change } from "../protocol/documents.ts";
import { testHubForAll } from "../support/start-hub.ts";

const file = new URL("../../package.json", import.meta.url).href;
const inLoc = (text: string): string => change().replace("danube-1718", text);

/** Each has a reader that resolves entities fetch a file, or call the server at `url`. */
const documents: Readonly<Record<string, (url: string) => string>> = {
  "a DTD by SYSTEM": (url) => `<!DOCTYPE urlset SYSTEM "${url}/a.dtd">${change()}`,
  "a DTD by PUBLIC": (url) => `<!DOCTYPE urlset PUBLIC "-//E//DTD urlset//EN" "${url}/a.dtd">${change()}`,
  "an entity that is a file": () => `<!DOCTYPE urlset [<!ENTITY a SYSTEM "${file}">]>${inLoc("&a;")}`,
  "an entity that is a URL": (url) => `<!DOCTYPE urlset [<!ENTITY a SYSTEM "${url}/a">]>${inLoc("&a;")}`,
  "an entity by PUBLIC": (url) =>
    `<!DOCTYPE urlset [<!ENTITY a PUBLIC "-//E//A//EN" "${url}/a">]>${inLoc("&a;")}`,
  "a parameter entity": (url) => `<!DOCTYPE urlset [<!ENTITY % p SYSTEM "${url}/p.dtd"> %p;]>${change()}`,
  "a parameter entity that carries a file out": (url) =>
    `<!DOCTYPE urlset [<!ENTITY % f SYSTEM "${file}"><!ENTITY % p SYSTEM "${url}/p.dtd"> %p; %send;]>${change()}`,
  "a DOCTYPE behind a comment that names one": (url) =>
    `<!-- <!DOCTYPE urlset> --><!DOCTYPE urlset SYSTEM "${url}/a.dtd">${change()}`,
};

describe("external entities", () => {
  const hub = testHubForAll({ yaml: "outbound: { allow: [127.0.0.0/8] }\n" });
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.end(`<!ENTITY % send "<!ENTITY a 'from outside'>">`);
  });
  let url = "";
  beforeAll(async () => {
    url = await listenOnLoopback(server);
  });
  afterAll(() => closeServer(server));

  test("the server that they name can be reached", async () => {
    expect(await (await fetch(`${url}/reached`)).text()).toContain("ENTITY");
    expect(asked.splice(0)).toEqual(["/reached"]);
  });

  test.each(Object.entries(documents))(
    "%s is refused by every reader, and nobody is asked",
    async (_, make) => {
      const document = Buffer.from(make(url));
      for (const [name, read] of Object.entries(readers))
        expect([name, await read(document)]).toEqual([name, "X03"]);
      expect(asked).toEqual([]);
    },
  );

  test.each(Object.entries(documents))("%s is refused by the hub, which asks nobody", async (_, make) => {
    const published = await hub().publish(make(url));
    expect(published.status).toBe(400);
    const answer = await published.text();
    expect(answer).toContain("X03");
    expect(answer).not.toMatch(/from outside|resourcesync-hub/);
    const topic = await (await hub().get("/sets/maps/change-notification")).text();
    expect(topic).not.toContain("DOCTYPE");
    expect(asked).toEqual([]);
  });
});

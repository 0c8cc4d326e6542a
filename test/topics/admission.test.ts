import { expect, test } from "vitest";
import { createAdmission } from "../../src/topics/admission.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { parseSetId } from "../../src/channels/channel.ts";

const id = parseSetId("maps");
if (id === undefined) throw new Error("not the id of a set");
const topics = { "change-notification": "https://feeds.example.org/maps" };
const set = { id, capabilities: {}, profile: "auto", channels: "websub", topics } as const;
const channels = createChannels({ baseUrl: "https://www.example.org/hub", sets: [set] });
const admission = createAdmission(channels, [
  { match: "https://feeds.example.org/*" },
  { match: "https://www.example.org/*/feeds/*.xml?v=*" },
  { match: "https://www.example.org/hub*" },
  { match: "http://bare.example.org" },
  { url: "https://one.example.org/a/../feed?x=%7E" },
]);

test.each([
  "https://feeds.example.org/",
  "https://feeds.example.org/a/b?c=d",
  "HTTPS://Feeds.Example.org:443/%61",
  "https://www.example.org/1/feeds/2/3.xml?v=",
  "http://bare.example.org",
  "http://bare.example.org/",
  "https://one.example.org/a/../feed?x=~",
  "https://www.example.org/hubs",
])("%s is admitted", (url) => {
  expect(admission.admits(url)).toBe(true);
});

test.each([
  ["another scheme", "http://feeds.example.org/a"],
  ["another port", "https://feeds.example.org:8443/a"],
  ["another host", "https://feeds.example.org.evil.example/a"],
  ["a host before the host", "https://evil.example/https://feeds.example.org/a"],
  ["a name before the host", "https://feeds.example.org@evil.example/a"],
  ["a backslash", "https://evil.example\\@feeds.example.org/a"],
  ["a pattern's end that is missing", "https://www.example.org/1/feeds/2.xml"],
  ["parts that overlap", "https://www.example.org/feeds/.xml?v="],
  ["steps up", "https://feeds.example.org/a/../b"],
  ["steps up that are escaped", "https://feeds.example.org/a/%2e%2E/b"],
  ["steps up at the end", "https://feeds.example.org/.."],
  ["steps up with a parameter", "https://feeds.example.org/a/..;/b"],
  ["more than the pattern", "http://bare.example.org/a"],
  ["more than the URL", "https://one.example.org/a/../feed?x=~&y"],
  ["the hub itself", "https://www.example.org/hub/sets/maps/changelist.xml"],
  ["no URL", "feeds.example.org/a"],
])("%s is not admitted", (_name, url) => {
  expect(admission.admits(url)).toBe(false);
  expect(admission.byTopic(url)).toBeUndefined();
});

test("a topic of a set comes first, however it is written", () => {
  expect(admission.byTopic("https://feeds.example.org/m%61ps")?.id).toBe("maps/change-notification");
  expect(admission.byTopic("https://feeds.example.org/atlas")?.id).toMatch(/^_elsewhere\/[\w-]{22}$/);
  expect(admission.byTopic("https://FEEDS.example.org/%61tlas")).toEqual(
    admission.byTopic("https://feeds.example.org/atlas"),
  );
});

test.each([
  ["the same origin", "https://feeds.example.org/a", "https://feeds.example.org/b/../c", true],
  ["over to https", "http://bare.example.org/", "https://bare.example.org/", true],
  ["back to http", "https://feeds.example.org/a", "http://feeds.example.org/a", false],
  ["what is admitted", "https://one.example.org/", "https://feeds.example.org/b", true],
  ["what is not", "https://feeds.example.org/a", "https://evil.example/", false],
  ["no http", "https://feeds.example.org/a", "file:///etc/passwd", false],
])("a redirect to %s", (_name, from, to, leads) => {
  expect(admission.mayLead(from, to)).toBe(leads);
});

test("a pattern of many stars takes no longer than the URL asks for", () => {
  const hostile = createAdmission(channels, [{ match: `https://e.example/${"*a".repeat(500)}b` }]);
  const begun = performance.now();
  expect(hostile.admits(`https://e.example/${"a".repeat(4000)}`)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(2000);
});

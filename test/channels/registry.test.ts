import { expect, test } from "vitest";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";

const set = (id: string) => ({
  id: parseSetId(id)!,
  capabilities: {},
  profile: "auto" as const,
  channels: "websub" as const,
  topics: {},
});
const remote = {
  ...set("remote"),
  title: "Elsewhere",
  describedBy: "https://source.example/about",
  channels: "websocket" as const,
  topics: { "change-notification": "https://source.example/t~1" },
};
const channels = createChannels({ baseUrl: "https://hub.example/below", sets: [set("demo"), remote] });

test("a set has two channels, whose URLs stand below the base URL", () => {
  expect(channels.sets[0]?.channels).toEqual([
    {
      id: "demo/change-notification",
      set: "demo",
      isPrivate: false,
      kind: "change-notification",
      profile: "auto",
      url: "https://hub.example/below/sets/demo/change-notification",
      socketUrl: "wss://hub.example/below/sets/demo/change-notification",
      topic: "https://hub.example/below/sets/demo/change-notification",
      hubUrl: "https://hub.example/below/websub",
      capabilityListUrl: "https://hub.example/below/sets/demo/capabilitylist.xml",
    },
    expect.objectContaining({ id: "demo/framework-notification" }),
  ]);
  expect(channels.sourceDescriptionUrl).toBe("https://hub.example/below/.well-known/resourcesync");
  expect(channels.all).toHaveLength(4);
});

test("a hub without TLS has sockets without TLS", () => {
  const plain = createChannels({ baseUrl: "http://127.0.0.1:8080", sets: [set("demo")] });
  expect(plain.all[0]?.socketUrl).toBe("ws://127.0.0.1:8080/sets/demo/change-notification");
});

test("a set keeps what was said of it", () => {
  expect(channels.sets[1]).toMatchObject({
    id: "remote",
    title: "Elsewhere",
    describedBy: "https://source.example/about",
    plainForm: "websocket",
  });
  expect(channels.sets[0]).toMatchObject({ title: undefined, describedBy: undefined, plainForm: "websub" });
});

test("channels are found by set and kind, and by id", () => {
  const channel = channels.find("demo", "framework-notification");
  expect(channel?.kind).toBe("framework-notification");
  expect(channels.byId(channelIdOf(parseSetId("demo")!, "framework-notification"))).toBe(channel);
  expect(channels.find("demo", "other")).toBeUndefined();
  expect(channels.find("none", "change-notification")).toBeUndefined();
});

test("a topic is found however it is percent-encoded (WebSub §5.1), at the hub or at the Source", () => {
  const channel = channels.find("remote", "change-notification");
  for (const url of [
    "https://source.example/t~1",
    "https://source.example/t%7E1",
    "HTTPS://Source.example:443/t%7e1",
  ])
    expect(channels.byTopic(url)).toBe(channel);
  expect(channels.byTopic("https://hub.example/below/sets/d%65mo/change-notification")?.set).toBe("demo");
});

test("where the topic lives at the Source, the hub's own URL is none; nor is anything else", () => {
  for (const url of ["https://hub.example/below/sets/remote/change-notification", "nonsense", ""])
    expect(channels.byTopic(url)).toBeUndefined();
});

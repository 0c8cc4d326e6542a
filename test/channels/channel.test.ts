import { expect, test } from "vitest";
import { channelIdOf, channelKinds, parseSetId, setOfChannel } from "../../src/channels/channel.ts";
import { idOfTopicElsewhere } from "../../src/topics/topic-elsewhere.ts";

test.each(["maps", "a.b_c-d", "0"])("the channels of the set %s are known for its own", (name) => {
  const set = parseSetId(name)!;
  for (const kind of channelKinds) expect(setOfChannel(channelIdOf(set, kind))).toBe(set);
});

test("a topic elsewhere is of no set", () => {
  expect(parseSetId(setOfChannel(idOfTopicElsewhere("https://elsewhere.example/feed")))).toBeUndefined();
});

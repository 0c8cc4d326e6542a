import { z } from "zod";
import { type AcceptedProfile, channelKinds, parseSetId } from "../channels/channel.ts";
import { comparableUrl } from "../protocol/websub.ts";
import { refuseRepeats } from "./repeats.ts";
import { httpUrl, oneOf, text, value } from "./values.ts";

export const setId = text(
  "the id of a set: letters, digits, `.`, `_` and `-`, at most 64, beginning with a letter or digit",
  parseSetId,
);

const profiles: readonly AcceptedProfile[] = ["auto", "1.0.1", "1.0", "0.8"];

/** YAML reads an unquoted 1.0 or 0.8 as a number. */
const profile = value('auto, "1.0.1", "1.0" or "0.8"', (found) => {
  const written = typeof found === "number" ? found.toFixed(1) : found;
  return profiles.find((each) => each === written);
});

const title = text("a title, at most 200 characters", (found) =>
  found.trim() !== "" && found.length <= 200 ? found : undefined,
);

const set = z.strictObject({
  id: setId,
  title: title.exactOptional(),
  describedBy: httpUrl.exactOptional(),
  access: oneOf(["public", "private"]).default("public"),
  capabilities: z
    .strictObject({
      resourcelist: httpUrl.exactOptional(),
      resourcedump: httpUrl.exactOptional(),
      changelist: httpUrl.exactOptional(),
      changedump: httpUrl.exactOptional(),
    })
    .prefault({}),
  baseline: httpUrl.exactOptional(),
  watch: httpUrl.exactOptional(),
  profile: profile.default("auto"),
  channels: oneOf(["websub", "websocket"]).default("websub"),
  topics: z
    .strictObject({
      "change-notification": httpUrl.exactOptional(),
      "framework-notification": httpUrl.exactOptional(),
    })
    .prefault({}),
});

export const sets = z
  .array(set)
  .min(1)
  .superRefine((all, context) => {
    refuseRepeats(
      "sets",
      all.map(({ id }, index) => ({ is: id, path: [index, "id"] })),
      context,
    );
    // A topic leads to one channel, or nobody could say which one a subscriber means.
    const topics = all.flatMap((each, index) =>
      channelKinds.flatMap((kind) => {
        const topic = each.topics[kind];
        return topic === undefined ? [] : [{ is: comparableUrl(topic), path: [index, "topics", kind] }];
      }),
    );
    refuseRepeats("sets", topics, context);
    for (const [index, each] of all.entries()) {
      if (each.watch === undefined || each.profile === "auto" || each.profile === "1.0.1") continue;
      context.addIssue({
        code: "custom",
        path: [index, "profile"],
        message: `a watched set gets notifications of version 1.0.1, which its profile ${each.profile} refuses; expected auto or "1.0.1"`,
      });
    }
  })
  .prefault([{ id: "demo", title: "Demonstration set" }]);

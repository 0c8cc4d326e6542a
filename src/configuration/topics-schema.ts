import { z } from "zod";
import { httpUrl, urlPattern } from "./values.ts";

const topic = z
  .strictObject({ match: urlPattern.exactOptional(), url: httpUrl.exactOptional() })
  .superRefine(({ match, url }, context) => {
    if ((match === undefined) !== (url === undefined)) return;
    const found = match === undefined ? "neither" : "both";
    context.addIssue({
      code: "custom",
      message: `${found} of match and url stand here; expected one of them`,
    });
  });

/** WebSub topics that live elsewhere: each by its URL, or many by a pattern. */
export const topics = z.array(topic).prefault([]);

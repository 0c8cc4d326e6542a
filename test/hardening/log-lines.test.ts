import { expect, test } from "vitest";
import { createEvents } from "../../src/observability/events.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";

/** What somebody would like to see in another's terminal or log: lines of their own, colours, a bell, text that runs backwards. */
const hostile =
  'a\nERROR: all is lost\r\n{"level":"error","msg":"made up"}\u001b[2J\u001b]0;title\u0007\u009b31m\u0000\u007f\u202e\u2066\u2028b';

function logged(format: "json" | "text"): string {
  const lines: string[] = [];
  const logger = createLogger({ level: "debug", format }, { write: (line: string) => void lines.push(line) });
  const events = createEvents(logger, createMetrics());
  events.refused({ channel: hostile, status: 400, reason: hostile });
  events.outboundRefused({ origin: hostile, reason: hostile });
  events.subscriptionRequestRefused({ why: "callback", callbackOrigin: hostile });
  events.topicFetchFailed({ target: hostile, failures: 1, reason: hostile, nextFetchAt: hostile });
  events.limited({ limit: "requests", client: hostile });
  events.unexpected({ where: hostile, error: new Error(hostile, { cause: new Error(hostile) }) });
  return lines.join("");
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

test("a log of JSON has one line for each event, and no control character, whatever stands in the values", () => {
  const text = logged("json");
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(JSON.parse(line)).not.toMatchObject({ msg: "made up" });
  expect(text).not.toMatch(control);
});

test("a log for people has no control character either, and no line begins as one of the hub's that is none", () => {
  const text = logged("text");
  expect(text).toContain("\\u001b[2J");
  expect(text).not.toMatch(control);
  const begun = text.split("\n").filter((line) => /^\S/.test(line));
  expect(begun).toHaveLength(6);
  for (const line of begun) expect(line).toMatch(/^\[?\d\d:\d\d/);
});

test("what is harmless is logged as it is: the JSON gives back the very text", () => {
  const lines: string[] = [];
  const logger = createLogger(
    { level: "info", format: "json" },
    { write: (line: string) => void lines.push(line) },
  );
  for (const value of [hostile, "C:\\new\\u001b", "Zürich, 東京 \u{1f5fa}", "a\\\\nb"]) {
    logger.info({ value }, "said");
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ value, msg: "said" });
  }
});

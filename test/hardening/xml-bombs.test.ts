import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const child = join(import.meta.dirname, "measured-child.mjs");
const dist = new URL("../../dist", import.meta.url).href;
const names: unknown = JSON.parse(execFileSync(process.execPath, [child, dist], { encoding: "utf8" }));
const run = promisify(execFile);

/** Beyond the document itself, for four readers one after the other; 50 MB of entries cost a copy as text, and a tree. */
const mostMegabytes = 512;
/** Of the processor. Most are refused within 50 ms. */
const mostMilliseconds = 15_000;
/** Of the clock, on a machine that is busy with other tests. */
const patience = 60_000;

const measurement = z.object({
  outcomes: z.record(z.string(), z.string()),
  milliseconds: z.number(),
  megabytes: z.number(),
  isPolluted: z.boolean(),
});
type Measured = z.output<typeof measurement>;

async function measure(name: string): Promise<Measured> {
  const { stdout } = await run(process.execPath, [child, dist, name], {
    timeout: patience,
    encoding: "utf8",
  });
  return measurement.parse(JSON.parse(stdout));
}

describe.concurrent("every reader of documents takes bounded time and memory, whatever it is given:", () => {
  test.each(Array.isArray(names) ? names.map(String) : [])(
    "%s",
    async (name) => {
      const measured = await measure(name);
      expect(measured.isPolluted).toBe(false);
      const { milliseconds, megabytes, outcomes } = measured;
      expect({
        name,
        isBounded: megabytes < mostMegabytes && milliseconds < mostMilliseconds,
        megabytes,
        milliseconds,
      }).toMatchObject({ isBounded: true });
      // What has names of Object's own is a document like any other; all else is refused by every reader, as input or beyond a limit.
      const isOrdinary = name === "names of Object's own";
      const taken = Object.values(outcomes).filter((outcome) => !/^[XW]\d\d$/.test(outcome));
      expect({ outcomes, isTaken: taken.length > 0 }).toEqual({ outcomes, isTaken: isOrdinary });
    },
    patience,
  );
});

test("the attacks are there", () => {
  expect(names).toContain("a billion laughs");
  expect(names).toHaveLength(29);
});

import { expect, test } from "vitest";
import { createPutOffs, mostPutOff } from "../../src/subscriptions/put-off.ts";

const minute = 60_000;

test("a request waits a quarter of an hour from its 202, and is then given up", () => {
  let time = 0;
  const putOffs = createPutOffs(() => time);
  const request = { id: "a", askedAt: 0 };
  for (time = 0; time < 15 * minute; time += 2 * minute) expect(putOffs.mayWait(request)).toBe(true);
  time = 15 * minute;
  expect(putOffs.mayWait(request)).toBe(false);
});

test("only so many wait at a time, and whoever is over makes room, also where another process took it up", () => {
  let time = 0;
  const putOffs = createPutOffs(() => time);
  const requests = Array.from({ length: mostPutOff }, (_, n) => ({ id: `r${n}`, askedAt: 0 }));
  for (const request of requests) expect(putOffs.mayWait(request)).toBe(true);
  expect(putOffs.mayWait({ id: "late", askedAt: 0 })).toBe(false);
  expect(putOffs.mayWait({ id: "r0", askedAt: 0 })).toBe(true);
  putOffs.over({ id: "r0" });
  expect(putOffs.mayWait({ id: "late", askedAt: 0 })).toBe(true);
  time = 15 * minute;
  expect(putOffs.mayWait({ id: "new", askedAt: time })).toBe(true);
});

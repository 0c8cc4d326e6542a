import { expect, test } from "vitest";
import type { Resolve } from "../../src/security/guarded-lookup.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { createAddressGuard } from "../../src/security/address-table.ts";
import { createQuestionGuard, questionsPerAddress } from "../../src/subscriptions/question-guard.ts";
import { startCallbackServer } from "../support/callback-server.ts";

const get = { method: "GET", headers: {}, timeout: 5000, maxBytes: 1000 } as const;
const loopback: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

function start(now: () => number, resolve: Resolve = loopback) {
  const questions = createQuestionGuard({ now, isCounted: () => true });
  const outbound = createOutboundHttp({
    allow: ["127.0.0.0/8"],
    events: { outboundRefused: () => {} },
    userAgent: "hub/test",
    guard: questions.guard,
    reuse: false,
    resolve,
  });
  return { questions, outbound, [Symbol.asyncDispose]: () => outbound.close() };
}

/** What the guard says to one address after another. */
function checking(allow: readonly string[]) {
  const questions = createQuestionGuard({ now: () => 0 });
  const guarded = questions.guard(createAddressGuard(allow));
  return (address: string, hostname: string) => guarded.check(address, hostname);
}

test("a thousand names for one address get it no more questions than one address is asked", async () => {
  await using victim = await startCallbackServer();
  const { port } = new URL(victim.origin);
  let time = 0;
  await using asking = start(() => time);
  const ask = (name: string) => asking.outbound.request({ ...get, url: `http://${name}:${port}/` });

  const names = Array.from({ length: questionsPerAddress + 50 }, (_, n) => `n${n}.evil.example`);
  const answers = await Promise.allSettled(names.map(ask));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(questionsPerAddress);
  expect(victim.verifications).toHaveLength(questionsPerAddress);
  await expect(ask("another.example")).rejects.toThrow("127.0.0.1 was asked 300 times within ten minutes");

  asking.questions.proven("https://friend.example/callback");
  expect((await ask("friend.example")).status).toBe(200);
  time += 600_000;
  expect((await ask("another.example")).status).toBe(200);
});

test("ports of one address are one address: together they are asked no more than one is", async () => {
  await using first = await startCallbackServer();
  await using second = await startCallbackServer();
  await using third = await startCallbackServer();
  await using asking = start(() => 0);
  const ports = [first, second, third].map(({ origin }) => new URL(origin).port);
  const ask = (n: number) =>
    asking.outbound.request({ ...get, url: `http://n${n}.evil.example:${ports[n % ports.length]}/` });

  const answers = await Promise.allSettled(
    Array.from({ length: questionsPerAddress + 50 }, (_, n) => ask(n)),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(questionsPerAddress);
  const asked = [first, second, third].map(({ verifications }) => verifications.length);
  expect(asked.reduce((sum, each) => sum + each, 0)).toBe(questionsPerAddress);
  expect(Math.min(...asked)).toBeGreaterThan(0);
});

test("another address has questions of its own", () => {
  const check = checking([]);
  for (let n = 0; n < questionsPerAddress; n += 1) expect(check("9.9.9.9", "9.9.9.9")).toBe("callable");
  expect(check("9.9.9.9", "9.9.9.9")).not.toBe("callable");
  expect(check("9.9.9.10", "9.9.9.10")).toBe("callable");
});

test("a name that changes its address between two questions spends what it leads to, not what it said before", async () => {
  await using victim = await startCallbackServer();
  const { port } = new URL(victim.origin);
  let lookups = 0;
  // Every second answer leads to an address of the sender's own.
  await using asking = start(
    () => 0,
    async () => {
      lookups += 1;
      return [{ address: lookups % 2 === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    },
  );
  for (let n = 0; n < 2 * questionsPerAddress + 20; n += 1) {
    await asking.outbound.request({ ...get, url: `http://n${n}.evil.example:${port}/` }).catch(() => {});
  }
  expect(victim.verifications).toHaveLength(questionsPerAddress);
});

test("a name of several addresses spends at each of them, once for each connection and not for each look at a guard", async () => {
  await using victim = await startCallbackServer();
  const { port } = new URL(victim.origin);
  const both = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
  await using asking = start(
    () => 0,
    async (name) => (name.startsWith("n") ? both : both.slice(1)),
  );
  const ask = (name: string) => asking.outbound.request({ ...get, url: `http://${name}:${port}/` });
  for (let n = 0; n < questionsPerAddress; n += 1) await ask(`n${n}.evil.example`);
  expect(victim.verifications).toHaveLength(questionsPerAddress);
  // Nothing was connected to there, but it could have been.
  await expect(ask("other.example")).rejects.toThrow("127.0.0.2 was asked 300 times within ten minutes");
});

test("an IPv6 network of 64 bits is one address: within it, anybody has addresses to spare", () => {
  const check = checking([]);
  for (let n = 0; n < questionsPerAddress; n += 1)
    expect(check(`2606:4700::${n.toString(16)}`, `n${n}.example`)).toBe("callable");
  expect(check("2606:4700::ffff", "one-more.example")).toEqual({
    refused: expect.stringContaining("2606:4700::/64"),
  });
  expect(check("2606:4700:0:1::1", "next.example")).toBe("callable");
});

test("what the configuration lists is not counted, and what is refused spends nothing", () => {
  const check = checking(["10.0.0.0/8"]);
  for (let n = 0; n < 2 * questionsPerAddress; n += 1) {
    expect(check("10.1.2.3", `n${n}.example`)).toBe("callable");
    expect(check("192.168.0.1", `n${n}.example`)).toEqual({ refused: expect.stringContaining("RFC 1918") });
  }
});

test("a name that confirms from another address gives back nothing of what it cost the first one", () => {
  const questions = createQuestionGuard({ now: () => 0 });
  const guarded = questions.guard(createAddressGuard([]));
  for (let n = 0; n < questionsPerAddress; n += 1) {
    guarded.check("9.9.9.9", `n${n}.evil.example`);
    guarded.check("8.8.8.8", `n${n}.evil.example`);
    questions.confirmed(`https://n${n}.evil.example/`);
  }
  expect(guarded.check("9.9.9.9", "next.example")).toEqual({ refused: expect.stringContaining("9.9.9.9") });
});

test("one confirmation gives back one question, and nothing where none was counted", () => {
  const questions = createQuestionGuard({ now: () => 0 });
  const guarded = questions.guard(createAddressGuard([]));
  for (let n = 0; n < questionsPerAddress; n += 1)
    guarded.check("9.9.9.9", n < 2 ? "two.example" : `n${n}.example`);
  questions.confirmed("https://never-asked.example/");
  expect(guarded.check("9.9.9.9", "next.example")).not.toBe("callable");
  questions.confirmed("https://two.example/");
  expect(guarded.check("9.9.9.9", "next.example")).toBe("callable");
  expect(guarded.check("9.9.9.9", "one-more.example")).not.toBe("callable");
});

test("what the table forbids is not taken for an address that was asked enough", () => {
  const questions = createQuestionGuard({ now: () => 0 });
  const guarded = questions.guard(createAddressGuard([]));
  for (let n = 0; n < questionsPerAddress; n += 1) guarded.check("9.9.9.9", `n${n}.example`);
  guarded.check("9.9.9.9", "moves.example");
  expect(questions.isSpent("https://moves.example/")).toBe(true);
  guarded.check("10.0.0.1", "moves.example");
  expect(questions.isSpent("https://moves.example/")).toBe(false);
});

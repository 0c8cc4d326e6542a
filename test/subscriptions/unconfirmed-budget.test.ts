import { expect, test } from "vitest";
import { callbackHostOf } from "../../src/subscriptions/callback-host.ts";
import { createUnconfirmedBudget } from "../../src/subscriptions/unconfirmed-budget.ts";

test("a host has room again when its first unconfirmed question is ten minutes old", () => {
  let time = 0;
  const budget = createUnconfirmedBudget(() => time);
  for (let i = 0; i < 30; i += 1) {
    expect(budget.secondsUntilRoom("a:443")).toBe(0);
    budget.spend("a:443");
    time += 1000;
  }
  expect(budget.secondsUntilRoom("a:443")).toBe(570);
  expect(budget.secondsUntilRoom("b:443")).toBe(0);
  time += 570_000;
  expect(budget.secondsUntilRoom("a:443")).toBe(0);
});

test("what is remembered of hosts is bounded, and the one that was quiet longest is forgotten first", () => {
  const budget = createUnconfirmedBudget(() => 0);
  const spendAll = (host: string) => {
    for (let i = 0; i < 30; i += 1) budget.spend(host);
  };
  spendAll("first:80");
  spendAll("second:80");
  for (let i = 0; i < 9999; i += 1) budget.spend(`host-${i}:80`);
  expect(budget.secondsUntilRoom("first:80")).toBe(0);
  expect(budget.secondsUntilRoom("second:80")).toBe(600);
});

test("a clock that is set back closes no host", () => {
  let time = 1_000_000_000;
  const budget = createUnconfirmedBudget(() => time);
  for (let i = 0; i < 30; i += 1) budget.spend("a:443");
  time = 0;
  expect(budget.secondsUntilRoom("a:443")).toBe(0);
});

test.each([
  ["https://Sub.Example/a?b", "sub.example:443"],
  ["https://sub.example.:443/", "sub.example:443"],
  ["http://sub.example/", "sub.example:80"],
  ["http://sub.example:443/", "sub.example:443"],
  ["http://[2001:DB8::1]:8080/", "[2001:db8::1]:8080"],
  ["http://2130706433/", "127.0.0.1:80"],
  ["nonsense", ""],
])("%s is counted as %s", (callback, host) => {
  expect(callbackHostOf(callback)).toBe(host);
});

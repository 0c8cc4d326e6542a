import { expect, test } from "vitest";
import { type AcceptedProfile, type NotificationKind } from "../../src/protocol/judge-notification.ts";
import { faultsOf, fixture, idsOf } from "./documents.ts";

const change = "change-notification";
const frameworkKind = "framework-notification";

const examples: readonly (readonly [string, NotificationKind | undefined, AcceptedProfile, string[]])[] = [
  ["change-notification.xml", change, "1.0.1", []],
  ["framework-notification.xml", frameworkKind, "1.0.1", []],
  ["framework-notification-of-several.xml", frameworkKind, "1.0.1", []],
  ["change-notification-0.8.xml", change, "0.8", []],
  ["framework-notification-0.8.xml", frameworkKind, "0.8", []],
  ["change-notification-0.8.xml", change, "1.0.1", ["C01", "CN02", "CN02", "CN04?", "CN04?"]],
  ["framework-notification-0.8.xml", frameworkKind, "1.0.1", ["C01"]],
  ["change-notification.xml", change, "0.8", ["CN11", "CN11", "CN07", "CN11"]],
  ["framework-notification.xml", frameworkKind, "0.8", ["FN13", "FN13"]],
  ["change-notification.xml", frameworkKind, "1.0.1", ["S01"]],
  ["framework-notification.xml", change, "1.0.1", ["S01"]],
  ["capability-list.xml", undefined, "auto", ["S01"]],
  ["capability-list-0.8.xml", undefined, "auto", ["CAP01?", "S01"]],
];

test.each(examples)("%s as %s under profile %s gives %j", (name, as, profile, expected) => {
  expect(idsOf(faultsOf(fixture(name), as, profile))).toEqual(expected);
});

test.each([
  "change-notification.xml",
  "framework-notification.xml",
  "framework-notification-of-several.xml",
  "change-notification-0.8.xml",
  "framework-notification-0.8.xml",
])("%s is recognised and has no fault, strictly or leniently", (name) => {
  expect(faultsOf(fixture(name))).toEqual([]);
  expect(faultsOf(fixture(name), undefined, "lenient")).toEqual([]);
});

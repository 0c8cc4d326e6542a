import { expect, test } from "vitest";
import { buildNotification, CannotBuildNotification } from "../../src/client/build-notification.ts";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";

test("a built notification breaks no rule of change notification 1.0.1", () => {
  const document = buildNotification(
    [
      {
        uri: "https://maps.example.org/maps?sheet=2&year=1871",
        change: "updated",
        datetime: "2026-11-20T10:08:00Z",
        hash: "sha-256:854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784",
        length: 14599,
        type: "text/html",
      },
      { uri: "https://maps.example.org/maps/1", change: "created", datetime: "2026-11-20T10:07:22.5Z" },
      { uri: "https://maps.example.org/maps/9", change: "deleted", datetime: "2026-11-20T10:09:00Z" },
    ],
    {
      from: "2026-11-20T10:00:00Z",
      until: "2026-11-20T10:10:00Z",
      capabilityListUrl: "https://maps.example.org/capabilitylist.xml",
    },
  );
  const verdict = judgeNotification(Buffer.from(document), "change-notification", "1.0.1", {
    bytes: 1_000_000,
  });
  expect(verdict).toMatchObject({ kind: "valid", warnings: [], notification: { changes: 3 } });
});

test("changes stand in the order of time (rule CN05), and URIs are escaped", () => {
  const document = buildNotification(
    [
      { uri: "https://e.org/b", change: "updated", datetime: "2026-11-20T11:00:00+00:00" },
      { uri: "https://e.org/a?x=1&y=2", change: "updated", datetime: "2026-11-20T11:30:00+01:00" },
    ],
    { until: "2026-11-20T12:00:00Z" },
  );
  expect([...document.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
    "https://e.org/a?x=1&amp;y=2",
    "https://e.org/b",
  ]);
  expect(document).toContain('from="2026-11-20T10:30:00Z" until="2026-11-20T12:00:00Z"');
});

test("a deleted resource gets no length, hash or type (rule CN06)", () => {
  const document = buildNotification([
    { uri: "https://e.org/a", change: "deleted", length: 5, type: "text/html" },
  ]);
  expect(document).not.toMatch(/length|type/);
});

test("every fault of what was given is named at once", () => {
  const build = () =>
    buildNotification(
      [
        { uri: "maps/1", change: "created" },
        { uri: "https://e.org/a", change: "updated", datetime: "yesterday" },
      ],
      { from: "soon" },
    );
  expect(build).toThrow(CannotBuildNotification);
  expect(build).toThrow(/change 1, "maps\/1".*datetime of change 2 is "yesterday".*from is "soon"/);
  expect(() => buildNotification([])).toThrow(/no change/);
  expect(() =>
    buildNotification([{ uri: "https://e.org/a", change: "updated", datetime: "2026-01-01" }], {
      from: "2026-01-02",
      until: "2026-01-03",
    }),
  ).toThrow(/outside the interval/);
});

import pc from "picocolors";
import type { ListedSubscription, RecordList } from "../operations/schemas/subscriptions.ts";
import { printable } from "./describe-notification.ts";
import { counted, humanCount, humanSpan, humanTime, secondsSince, secondsUntil } from "./humanised.ts";
import { stateColours } from "./list-subscriptions.ts";
import { type Column, table } from "./table.ts";

type Attempt = RecordList["attempts"][number];
type Fact = readonly [name: string, value: string];

const ago = (datetime: string): string => `${humanTime(datetime)} (${humanSpan(secondsSince(datetime))} ago)`;
const ahead = (datetime: string): string =>
  `${humanTime(datetime)} (in ${humanSpan(secondsUntil(datetime))})`;

/** How far it is behind, in words. */
export function describeLag({ lag }: Pick<ListedSubscription, "lag">): string {
  if (lag.notifications === 0) return "nothing";
  return `${counted(lag.notifications, "notification")}, the oldest for ${humanSpan(lag.seconds)}`;
}

function stateOf({ state, paused, failing }: ListedSubscription): string {
  const since = paused === undefined ? failing?.firstFailedAt : paused.since;
  const why =
    paused === undefined
      ? ""
      : { operator: " by an operator", exhausted: " by the hub, which gave up" }[paused.because];
  return `${state}${since === undefined ? "" : ` since ${ago(since)}`}${why}`;
}

function factsOf(subscription: ListedSubscription): Fact[] {
  const { callback, channel, topic, position, failing, paused } = subscription;
  const answer = failing?.last.answer?.trim() ?? "";
  return [
    ["callback", callback],
    ["channel", channel],
    ["topic", topic],
    ["state", stateOf(subscription)],
    ...(paused?.note === undefined ? [] : [["note", paused.note] as const]),
    ["waiting", describeLag(subscription)],
    ["stands at", position],
    ...(failing === undefined ? [] : failuresOf(failing)),
    ...(answer === "" ? [] : [["answered", answer] as const]),
    ["dead letters", humanCount(subscription.deadLetters)],
    ["gives up by", subscription.exhausted === "park" ? "parking the notification" : "pausing"],
    ["signed", subscription.signed ? "yes" : "no"],
    ["lease ends", ahead(subscription.leaseEndsAt)],
    ["since", humanTime(subscription.createdAt)],
  ];
}

function failuresOf({ attempts, nextAttemptAt, last }: NonNullable<ListedSubscription["failing"]>): Fact[] {
  const next = nextAttemptAt === undefined ? "" : `; the next ${ahead(nextAttemptAt)}`;
  return [
    ["attempts", `${humanCount(attempts)}${next}`],
    ["failed", last.reason],
  ];
}

/** Everything about one subscription, for a person. */
export function describeSubscription(subscription: ListedSubscription): string {
  const width = Math.max(...factsOf(subscription).map(([name]) => name.length));
  const lines = factsOf(subscription).map(([name, value]) => {
    const shown = printable(value);
    return `  ${pc.dim(name.padEnd(width))}  ${name === "state" ? stateColours[subscription.state](shown) : shown}`;
  });
  return [pc.bold(subscription.id), ...lines].join("\n");
}

const outcomeColours = { delivered: pc.green, failed: pc.yellow, gone: pc.red };

const columns: readonly Column<Attempt>[] = [
  { title: "AT", of: ({ at }) => humanTime(at) },
  { title: "NOTIFICATION", cut: "middle", of: ({ position }) => position },
  { title: "TRY", align: "right", of: ({ attempt }) => humanCount(attempt) },
  { title: "OUTCOME", of: ({ outcome }) => outcome, paint: ({ outcome }) => outcomeColours[outcome] },
  { title: "STATUS", align: "right", of: ({ status }) => String(status ?? "") },
  { title: "MS", align: "right", of: ({ milliseconds }) => humanCount(milliseconds) },
  { title: "REASON", cut: "end", of: ({ reason }) => reason },
];

export function describeAttempts({ attempts }: RecordList): string {
  if (attempts.length === 0) return "No attempt is remembered.";
  return `Latest attempts\n\n${table(columns, attempts)}`;
}

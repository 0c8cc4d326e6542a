import { Command, InvalidArgumentError, Option } from "commander";
import pc from "picocolors";
import type { ListedSubscription, SubscriptionState } from "../operations/schemas/subscriptions.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";
import { counted, humanCount, humanSpan } from "./humanised.ts";
import { type Column, table } from "./table.ts";

interface Options extends HubOptions {
  readonly state?: SubscriptionState;
  readonly channel?: string;
  readonly callback?: string;
  readonly behind?: true | number;
  readonly json?: true;
}

export const stateColours = { active: pc.green, failing: pc.yellow, paused: pc.red };

/** Enough to tell subscriptions apart, and to be typed. */
export const shownIdLength = 8;

const columns: readonly Column<ListedSubscription>[] = [
  { title: "WAITING", align: "right", of: ({ lag }) => humanCount(lag.notifications) },
  {
    title: "OLDEST",
    align: "right",
    of: ({ lag }) => (lag.notifications === 0 ? "" : humanSpan(lag.seconds)),
  },
  { title: "STATE", of: ({ state }) => state, paint: ({ state }) => stateColours[state] },
  { title: "DEAD", align: "right", of: ({ deadLetters }) => humanCount(deadLetters) },
  { title: "ID", of: ({ id }) => id.slice(0, shownIdLength) },
  { title: "CHANNEL", cut: "end", yieldsTo: 14, of: ({ channel }) => channel },
  { title: "CALLBACK", cut: "middle", of: ({ callback }) => callback },
];

/** Lines of a table are measured together; of more than so many, each part is a table of its own. */
const rowsOfTable = 500;

/** `subscriptions [list]`. */
export function listSubscriptionsCommand(): Command {
  return withHubFlags(new Command("list"))
    .description("lists subscriptions and how far each is behind")
    .addOption(new Option("--state <state>", "only those in it").choices(["active", "failing", "paused"]))
    .option("--channel <channel>", "only those of a channel, such as maps/change-notification")
    .option("--callback <text>", "only those with this text in the callback's URL")
    .option("--behind [count]", "only those for which so many notifications wait (1)", wholeNumber)
    .option("--json", "print each as a line of JSON")
    .addHelpText(
      "after",
      `
WAITING is how many notifications wait for the callback, OLDEST for how long the oldest of them; DEAD counts dead letters.

${exitCodes}

Examples:
  resourcesync-hub subscriptions --behind
  resourcesync-hub subscriptions --state failing --callback mirror.example.org
  resourcesync-hub subscriptions --hub https://hub.example.org --json | jq -r .callback`,
    )
    .action((options: Options) => list(options));
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number from 1.");
}

async function list({ state, channel, callback, behind, json, ...access }: Options): Promise<void> {
  const query = { state, channel, callback, behind: behind === true ? 1 : behind, limit: rowsOfTable };
  await asOperator(access, async (operator) => {
    let rows: ListedSubscription[] = [];
    let total = 0;
    for await (const row of operator.subscriptions(query)) {
      total += 1;
      if (json === true) {
        console.log(JSON.stringify(row));
        continue;
      }
      rows.push(row);
      if (rows.length === rowsOfTable) {
        console.log(table(columns, rows));
        rows = [];
      }
    }
    if (json === true) return;
    if (rows.length > 0) console.log(table(columns, rows));
    const isFiltered = [state, channel, callback, behind].some((filter) => filter !== undefined);
    if (total === 0) console.log(isFiltered ? "No subscription is so." : "There are no subscriptions.");
    else console.error(pc.dim(counted(total, "subscription")));
  });
}

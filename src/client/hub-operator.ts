import type { z } from "zod";
import {
  changeSubscription,
  endSubscription,
  listAttempts,
  pauseSubscription,
  replaySubscription,
  resumeSubscription,
  rewindSubscription,
  rotateSecret,
} from "../operations/schemas/changing-endpoints.ts";
import {
  dropDeadLetter,
  dropDeadLetters,
  getDeadLetter,
  listDeadLetters,
  resendDeadLetter,
  resendDeadLetters,
} from "../operations/schemas/dead-letter-endpoints.ts";
import type { ListedDeadLetter } from "../operations/schemas/dead-letters.ts";
import {
  getSubscription,
  listChannels,
  listSets,
  listSubscriptions,
} from "../operations/schemas/endpoints.ts";
import { listOrigins, listWatched } from "../operations/schemas/observed.ts";
import type { ListedSubscription } from "../operations/schemas/subscriptions.ts";
import { askOperatorsApi, type OperatorAccess } from "./ask-operators-api.ts";

type Paged<Query> = Omit<Query, "after">;

/** The operators' API of a hub. Everything throws `HubUnreachable` and `OperationDenied`. */
export function hubOperator(hub: OperatorAccess) {
  return {
    sets: () => askOperatorsApi(hub, listSets),
    channels: (query: z.input<typeof listChannels.query> = {}) =>
      askOperatorsApi(hub, listChannels, { query }),
    /** The servers of callbacks, as the process that answers knows them. */
    origins: () => askOperatorsApi(hub, listOrigins),
    watched: () => askOperatorsApi(hub, listWatched),
    /** Every subscription that is asked for, page after page. */
    subscriptions: (query: Paged<z.input<typeof listSubscriptions.query>> = {}) =>
      everyPage<ListedSubscription>(async (after) => {
        const page = await askOperatorsApi(hub, listSubscriptions, { query: { ...query, after } });
        return { items: page.subscriptions, next: page.next };
      }),
    subscription: (id: string) => askOperatorsApi(hub, getSubscription, { params: { id } }),
    attempts: (id: string, query: z.input<typeof listAttempts.query> = {}) =>
      askOperatorsApi(hub, listAttempts, { params: { id }, query }),
    change: (id: string, body: z.input<typeof changeSubscription.body>) =>
      askOperatorsApi(hub, changeSubscription, { params: { id }, body }),
    end: (id: string, query: z.input<typeof endSubscription.query> = {}) =>
      askOperatorsApi(hub, endSubscription, { params: { id }, query }),
    pause: (id: string, body: z.input<typeof pauseSubscription.body> = {}) =>
      askOperatorsApi(hub, pauseSubscription, { params: { id }, body }),
    resume: (id: string) => askOperatorsApi(hub, resumeSubscription, { params: { id } }),
    rewind: (id: string, body: z.input<typeof rewindSubscription.body>) =>
      askOperatorsApi(hub, rewindSubscription, { params: { id }, body }),
    replay: (id: string, body: z.input<typeof replaySubscription.body>) =>
      askOperatorsApi(hub, replaySubscription, { params: { id }, body }),
    rotateSecret: (id: string, body: z.input<typeof rotateSecret.body> = {}) =>
      askOperatorsApi(hub, rotateSecret, { params: { id }, body }),
    deadLetters: (query: Paged<z.input<typeof listDeadLetters.query>> = {}) =>
      everyPage<ListedDeadLetter>(async (after) => {
        const page = await askOperatorsApi(hub, listDeadLetters, { query: { ...query, after } });
        return { items: page.deadLetters, next: page.next };
      }),
    deadLetter: (id: string) => askOperatorsApi(hub, getDeadLetter, { params: { id } }),
    resendDeadLetter: (id: string) => askOperatorsApi(hub, resendDeadLetter, { params: { id } }),
    resendDeadLetters: (body: z.input<typeof resendDeadLetters.body>) =>
      askOperatorsApi(hub, resendDeadLetters, { body }),
    dropDeadLetter: (id: string) => askOperatorsApi(hub, dropDeadLetter, { params: { id } }),
    dropDeadLetters: (query: z.input<typeof dropDeadLetters.query>) =>
      askOperatorsApi(hub, dropDeadLetters, { query }),
  };
}

export type HubOperator = ReturnType<typeof hubOperator>;

/** The hub names the next page by its public URL; it is asked for where the first one was. */
async function* everyPage<Item>(
  read: (after: string | undefined) => Promise<{ items: readonly Item[]; next: string | undefined }>,
): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const { items, next } = await read(after);
    yield* items;
    after = next === undefined ? undefined : (new URL(next).searchParams.get("after") ?? undefined);
  } while (after !== undefined);
}

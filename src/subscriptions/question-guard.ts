import { parseHttpUrl } from "../protocol/http-url.ts";
import { type AddressGuard, createAddressGuard, networkOf } from "../security/address-table.ts";
import { createUnconfirmedBudget } from "./unconfirmed-budget.ts";

/** Connections to one address within ten minutes, for hosts that never confirmed anything. */
export const questionsPerAddress = 300;
/** Of more hosts than that which confirmed, the first is forgotten. */
const maxProven = 10_000;

export interface QuestionGuard {
  /** What `table` allows, less the addresses that were asked enough. */
  readonly guard: (table: AddressGuard) => AddressGuard;
  /** Takes a callback that confirmed, or has an active subscription: its host is asked without being counted. */
  readonly proven: (callback: string) => void;
}

interface Options {
  readonly now: () => number;
  /** Whether questions to the address count: those that the configuration lists are the operator's own affair. */
  readonly isCounted?: (address: string) => boolean;
}

const publicOnly = createAddressGuard([]);
const isPublic = (address: string): boolean => publicOnly.check(address, address) === "callable";

/**
 * Keeps a sender who has many names for one address from multiplying questions to it. It counts every address that a look-up for
 * a connection gives out, before it is known which of them is connected to: look-ups that run at the same time would else all
 * find room. In the memory of one process.
 */
export function createQuestionGuard({ now, isCounted = isPublic }: Options): QuestionGuard {
  const budget = createUnconfirmedBudget(now, questionsPerAddress);
  const provenHosts = new Set<string>();

  return {
    guard: (table) => ({
      check(address, hostname) {
        const verdict = table.check(address, hostname);
        if (verdict !== "callable" || provenHosts.has(hostname) || !isCounted(address)) return verdict;
        const network = networkOf(address);
        const seconds = budget.secondsUntilRoom(network);
        if (seconds > 0) {
          const refused = `${network} was asked ${questionsPerAddress} times within ten minutes under names that never confirmed; in ${seconds} s it can be asked again`;
          return { refused };
        }
        budget.spend(network);
        return "callable";
      },
    }),
    proven(callback) {
      const parsed = parseHttpUrl(callback);
      if ("fault" in parsed) return;
      provenHosts.add(parsed.hostname);
      const [first] = provenHosts;
      if (provenHosts.size > maxProven && first !== undefined) provenHosts.delete(first);
    },
  };
}

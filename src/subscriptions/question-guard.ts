import { parseHttpUrl } from "../protocol/http-url.ts";
import { type AddressGuard, createAddressGuard, networkOf } from "../security/address-table.ts";
import { createUnconfirmedBudget } from "./unconfirmed-budget.ts";

/** Connections to one address within ten minutes, for hosts that never confirmed anything. */
export const questionsPerAddress = 300;
/** Of more hosts than that, the first is forgotten. */
const maxHosts = 10_000;

export interface QuestionGuard {
  /** What `table` allows, less the addresses that were asked enough. */
  readonly guard: (table: AddressGuard) => AddressGuard;
  /** Takes a callback that has an active subscription: its host is asked without being counted. */
  readonly proven: (callback: string) => void;
  /** Takes a callback that has just confirmed: it is proven, and what its question cost its address is given back. */
  readonly confirmed: (callback: string) => void;
  /** Whether the last connection to its host was refused because its address was asked enough. */
  readonly isSpent: (callback: string) => boolean;
}

/** What was asked under one name. */
interface Asked {
  /** `undefined` where there are several: which of them confirms is not known, and none of them gets anything back. */
  readonly network: string | undefined;
  readonly spent: number;
  readonly isRefused: boolean;
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
  const provenHosts = new Map<string, true>();
  const asked = new Map<string, Asked>();

  function note(hostname: string, network: string, isRefused: boolean): void {
    const before = asked.get(hostname);
    const isSame = before === undefined || before.network === network;
    const spent = (before?.spent ?? 0) + (isRefused ? 0 : 1);
    keep(asked, hostname, { network: isSame ? network : undefined, spent, isRefused });
  }

  /** The table forbids the address for good: there is nothing to wait for. */
  function noteOtherRefusal(hostname: string): void {
    const before = asked.get(hostname);
    if (before?.isRefused === true) asked.set(hostname, { ...before, isRefused: false });
  }

  function proven(callback: string): void {
    const hostname = hostnameOf(callback);
    if (hostname !== undefined) keep(provenHosts, hostname, true);
  }

  return {
    guard: (table) => ({
      check(address, hostname) {
        const verdict = table.check(address, hostname);
        if (verdict !== "callable") noteOtherRefusal(hostname);
        if (verdict !== "callable" || provenHosts.has(hostname) || !isCounted(address)) return verdict;
        const network = networkOf(address);
        const seconds = budget.secondsUntilRoom(network);
        note(hostname, network, seconds > 0);
        if (seconds > 0) {
          const refused = `${network} was asked ${questionsPerAddress} times within ten minutes under names that never confirmed; in ${seconds} s it can be asked again`;
          return { refused };
        }
        budget.spend(network);
        return "callable";
      },
    }),
    proven,
    confirmed(callback) {
      proven(callback);
      const hostname = hostnameOf(callback);
      const before = hostname === undefined ? undefined : asked.get(hostname);
      if (hostname === undefined || before?.network === undefined || before.spent === 0) return;
      budget.refund(before.network);
      asked.set(hostname, { ...before, spent: before.spent - 1 });
    },
    isSpent: (callback) => asked.get(hostnameOf(callback) ?? "")?.isRefused === true,
  };
}

function hostnameOf(callback: string): string | undefined {
  const parsed = parseHttpUrl(callback);
  return "fault" in parsed ? undefined : parsed.hostname;
}

function keep<Row>(rows: Map<string, Row>, hostname: string, row: Row): void {
  rows.set(hostname, row);
  const [first] = rows.keys();
  if (rows.size > maxHosts && first !== undefined) rows.delete(first);
}

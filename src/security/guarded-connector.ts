import { isIP } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-table.ts";
import { createGuardedLookup, type Resolve } from "./guarded-lookup.ts";
import { AddressRefused } from "./outbound-errors.ts";

const connectMilliseconds = 10_000;

/** Connects to addresses that the guard lets through, and to no others: it is asked once for each connection. */
export function guardedConnector(guard: AddressGuard, resolve: Resolve): buildConnector.connector {
  const lookup = createGuardedLookup(guard, resolve);
  const connect = buildConnector({ lookup, timeout: connectMilliseconds });
  return (options, callback) => {
    const { hostname, protocol, host = hostname } = options;
    // `lookup` is never called for a host that is an address already.
    const verdict = isIP(hostname) === 0 ? "callable" : guard.check(hostname, hostname);
    if (verdict === "callable") connect(options, callback);
    else callback(new AddressRefused(`${protocol}//${host} may not be called: ${verdict.refused}`), null);
  };
}

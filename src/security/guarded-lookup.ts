import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { AddressGuard } from "./address-table.ts";
import { AddressRefused } from "./outbound-errors.ts";

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** As the operating system does it, so that /etc/hosts and search domains count. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * A `lookup` for `net.connect` that gives out checked addresses only. The socket connects to what was checked here:
 * a name that changes its address between a check and a second look-up gains nothing.
 */
export function createGuardedLookup(guard: AddressGuard, resolve: Resolve): LookupFunction {
  const resolveOnce = sharing(resolve);
  const lookUp = callbackify(async (hostname: string, family: number | string | undefined) =>
    callableOnes(hostname, await resolveOnce(hostname), guard, family),
  );
  return (hostname, options, callback) =>
    lookUp(hostname, options.family, (error, callable) => {
      if (error !== null) callback(error, "");
      else if (options.all === true) callback(null, callable);
      else callback(null, callable[0]?.address ?? "", callable[0]?.family);
    });
}

function callableOnes(
  hostname: string,
  addresses: readonly LookupAddress[],
  guard: AddressGuard,
  family: number | string | undefined,
): LookupAddress[] {
  const wanted = addresses.filter((one) => (family !== 4 && family !== 6 ? true : one.family === family));
  const callable: LookupAddress[] = [];
  let refused = "it has no address";
  for (const one of wanted) {
    const verdict = guard.check(one.address, hostname);
    if (verdict === "callable") callable.push(one);
    else refused = verdict.refused;
  }
  if (callable.length === 0) throw new AddressRefused(`${hostname} may not be called: ${refused}`);
  return callable;
}

/** Look-ups occupy one of libuv's four threads each: a name whose server is silent must not take them all. */
function sharing(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const running = underWay.get(hostname);
    if (running !== undefined) return running;
    const started = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, started);
    return started;
  };
}

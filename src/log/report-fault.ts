import type { Events } from "../observability/events.ts";
import { StorageUnavailable } from "./notification-log.ts";

/** Tells a fault of work that nobody waits for: the store is away (it will be tried again), or something unexpected. */
export function reportFault(
  events: Pick<Events, "storageUnavailable" | "unexpected">,
  part: string,
): (error: unknown) => void {
  return (error) => {
    if (error instanceof StorageUnavailable) events.storageUnavailable({ part, reason: error.message });
    else events.unexpected({ where: part, error });
  };
}

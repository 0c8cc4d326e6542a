import type { Channels } from "./channels/registry.ts";
import { knownTokens } from "./configuration/known-tokens.ts";
import type { Config } from "./configuration/schema.ts";
import { createClientOf } from "./http/client-of.ts";
import { createCors } from "./http/cors.ts";
import { createReaderPermits } from "./http/reader-permits.ts";
import { createSetAccess } from "./http/set-access.ts";
import type { Events } from "./observability/events.ts";
import { startPeriodicTask } from "./observability/periodic-task.ts";
import { authoriseOperator } from "./operations/authorise-operator.ts";
import { authorisePublisher } from "./publish/authorise.ts";
import { createAccess } from "./security/access.ts";
import { isTrustedProxy } from "./security/client-address.ts";
import { createKeySet, freshFor } from "./security/key-set.ts";
import { loadKeysFrom } from "./security/load-keys.ts";
import type { OutboundHttp } from "./security/outbound-http.ts";
import { verifyJwts } from "./security/verify-jwt.ts";

interface Parts {
  readonly channels: Channels;
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly events: Pick<Events, "keysLoaded" | "keysUnavailable" | "signedTokenRefused" | "unexpected">;
  readonly now: () => number;
}

/** Who may do what: everything that looks at a token looks here. */
export function openAccess(config: Config, parts: Parts) {
  const { channels, now } = parts;
  const keys = jwtKeys(config, parts);
  const signed = keys && {
    issuer: keys.jwt.issuer,
    verify: verifyJwts({ ...keys.jwt, keys, ...parts }),
    onKeysReplaced: (listener: () => void) => keys.onReplaced(listener),
  };
  const access = createAccess(knownTokens(config), signed);
  const setAccess = createSetAccess({ channels, access });
  return {
    authorise: authorisePublisher(access),
    operate: authoriseOperator(access),
    setAccess,
    visible: setAccess.visible,
    mayReceive: setAccess.mayReceive,
    onReplaced: (listener: () => void): void => access.onReplaced(listener),
    permits: createReaderPermits(access, now),
    cors: createCors(config.cors.origins, channels.baseUrl),
    clientOf: createClientOf(config.trustProxy),
    isProxy: isTrustedProxy(config.trustProxy),
    /** Other tokens from now on, and the keys of the issuer loaded anew; `false` where these stay since they cannot be had. */
    reload: async (next: Config): Promise<boolean> => {
      access.replace(knownTokens(next));
      return (await keys?.reload()) ?? true;
    },
    close: async (): Promise<void> => keys?.refreshing.close(),
  };
}

function jwtKeys({ jwt }: Config, { outbound, events, now }: Parts) {
  if (jwt === undefined) return undefined;
  const keys = createKeySet({ load: loadKeysFrom(jwt.keys, outbound), events, now });
  // Also where no token comes: a live reader stays for as long as the key that signed its token.
  const refreshing = startPeriodicTask(
    freshFor,
    async () => void (await keys.reload()),
    (error) => events.unexpected({ where: "keys of the token issuer", error }),
  );
  return { ...keys, jwt, refreshing };
}

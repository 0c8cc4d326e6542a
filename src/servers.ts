import { listenUrl } from "./configuration/listen-url.ts";
import { isLoopbackHost } from "./configuration/loopback.ts";
import type { Config } from "./configuration/schema.ts";
import type { AppParts } from "./http/app.ts";
import { createHubServer } from "./http/hub-server.ts";
import { freePortFor, type ListenAddress } from "./http/listening.ts";
import { createOperatorsServer } from "./http/operators-server.ts";
import type { HubServer } from "./http/secure-server.ts";
import type { TlsFiles } from "./http/tls-files.ts";

interface ServerAt {
  readonly server: HubServer;
  readonly at: ListenAddress;
}

/** What the hub listens with: one server, or one more for operators. */
export function createServers(
  { listen, admin }: Pick<Config, "listen" | "admin">,
  parts: AppParts & Parameters<typeof createHubServer>[0],
  tls: TlsFiles | undefined,
): readonly ServerAt[] {
  const hub = { server: createHubServer(parts, tls), at: listen };
  const apart = admin?.listen;
  if (apart === undefined) return [hub];
  return [hub, { server: createOperatorsServer(parts, speaksTls(apart) ? tls : undefined), at: apart }];
}

/** A certificate names no loopback address, and nobody else hears what is said there. */
const speaksTls = ({ host }: ListenAddress): boolean => !isLoopbackHost(host);

/** Below which the operators' API is, as far as the configuration says it; no slash at its end. */
export function operatorsUrlOf({ baseUrl, admin, tls }: Pick<Config, "baseUrl" | "admin" | "tls">): string {
  const apart = admin?.listen;
  if (apart === undefined) return baseUrl;
  const scheme = tls !== undefined && speaksTls(apart) ? "https" : "http";
  return listenUrl(scheme, apart);
}

/** The same configuration, with free ports where it asks for any. */
export async function withPorts(given: Config): Promise<Config> {
  const config = await withAdminPort(given);
  if (config.listen.port !== 0) return config;
  const port = await freePortFor(config.listen);
  return {
    ...config,
    listen: { ...config.listen, port },
    baseUrl: config.baseUrl.replace(/:0$/, `:${port}`),
  };
}

async function withAdminPort(config: Config): Promise<Config> {
  const apart = config.admin?.listen;
  if (apart?.port !== 0) return config;
  return { ...config, admin: { ...config.admin, listen: { ...apart, port: await freePortFor(apart) } } };
}

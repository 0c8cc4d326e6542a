import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openAccess } from "../../src/access.ts";
import { parseSetId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { loadConfig } from "../../src/config.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { createKeySet } from "../../src/security/key-set.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { audience, issuer, keySetOf, newKey, sign } from "../support/token-issuer.ts";
import { waitUntil } from "../support/wait-until.ts";

afterEach(() => void vi.useRealTimers());

test("keys that were replaced by others are told of; the same ones again, in another order, are not", async () => {
  const [one, other] = [await newKey("ES256"), await newKey("ES256")];
  let served = [one, other];
  const keys = createKeySet({
    load: () => keySetOf(served),
    events: { keysLoaded: () => {}, keysUnavailable: () => {} },
    now: Date.now,
  });
  let told = 0;
  keys.onReplaced(() => (told += 1));
  await keys.reload();
  served = [other, one];
  await keys.reload();
  expect(told).toBe(0);
  served = [one];
  await keys.reload();
  expect(told).toBe(1);
});

test("a withdrawn key is noticed within ten minutes where no token comes, and ends what it opened", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const directory = await mkdtemp(join(tmpdir(), "hub-keys-"));
  const [key, next] = [await newKey("ES256"), await newKey("ES256")];
  const keyFile = join(directory, "keys.json");
  await writeFile(keyFile, JSON.stringify(await keySetOf([key])));
  const file = join(directory, "hub.yaml");
  await writeFile(
    file,
    `storage: { data: "${directory}" }
sets: [{ id: secret, access: private }]
jwt: { issuer: "${issuer}", audience: "${audience}", keys: "${keyFile}" }
`,
  );
  const { config } = await loadConfig({ flags: { config: file }, env: {} });
  const events = createEvents(silentLogger, createMetrics());
  const outbound = createOutboundHttp({ allow: [], events, userAgent: "test" });
  const access = openAccess(config, { channels: createChannels(config), outbound, events, now: Date.now });

  const token = await sign(key);
  const set = parseSetId("secret")!;
  expect((await access.setAccess.sightOf(token)).sees({ id: set, isPrivate: true })).toBe(true);
  const permit = access.permits.hold(token, set, new Socket());
  await writeFile(keyFile, JSON.stringify(await keySetOf([next])));
  vi.advanceTimersByTime(600_000);
  await waitUntil(() => expect(permit.aborted).toBe(true));
  await access.close();
  await outbound.close();
  await rm(directory, { recursive: true });
});

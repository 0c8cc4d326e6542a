import { setTimeout } from "node:timers/promises";
import { createEmbeddedNotificationLog } from "../../src/log/embedded-notification-log.ts";
import { openEmbeddedEnvironment } from "../../src/log/embedded-environment.ts";
import type { NotificationLog } from "../../src/log/notification-log.ts";
import { connectRedis } from "../../src/log/redis-connection.ts";
import { createRedisNotificationLog } from "../../src/log/redis-notification-log.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { newNotification, testChannel } from "./new-notification.ts";

/** A process to be killed: appends from 16 writers at once and prints what each append was answered. */
const [engine = "", place = "", prefix = ""] = process.argv.slice(2);

async function openLog(): Promise<NotificationLog> {
  if (engine === "embedded") return createEmbeddedNotificationLog(await openEmbeddedEnvironment(place));
  const events = createEvents(silentLogger, createMetrics());
  return createRedisNotificationLog(await connectRedis(place, { events }), { prefix });
}

const log = await openLog();
const channel = testChannel();

async function appendForEver(writer: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const payload = `<n writer="${writer}" n="${n}" pid="${process.pid}">${"x".repeat(n % 5000)}</n>`;
    const outcome = await log.append(channel, newNotification(payload)).catch(() => setTimeout(10));
    if (outcome?.kind !== "appended") continue;
    const { position, sequence } = outcome.entry;
    process.stdout.write(`${JSON.stringify({ position, sequence, payload })}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => appendForEver(writer)));

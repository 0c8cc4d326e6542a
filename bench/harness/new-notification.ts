import type { NewNotification } from "../../src/log/notification-log.ts";
import { sha256Hex } from "../../src/protocol/hash.ts";
import { notification } from "./notification.ts";

/** What publishing appends to the log, made without judging it. */
export function newNotification(number: number, bytes?: number): NewNotification {
  const payload = notification(number, bytes);
  return {
    payload,
    contentType: "application/xml",
    digest: sha256Hex(payload),
    interval: undefined,
    receipt: '{"changes":7,"warnings":[]}',
    idempotencyKey: undefined,
    repeatWindow: 86_400_000,
    refuseOverlap: false,
  };
}

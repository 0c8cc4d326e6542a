/**
 * Delivering with nothing of ours: each subscription's notifications are signed and posted in order, the next one when the one
 * before is acknowledged. No log, no cursors, no retries.
 */
import { Pool } from "undici";
import { answer } from "../harness/child.ts";
import { notification } from "../harness/notification.ts";
import { secretOf } from "../load/subscribe.ts";
import { inParallel } from "../load/publisher.ts";
import { signedHeaders } from "./signed-headers.ts";

export interface Deliveries {
  readonly callbacks: readonly string[];
  readonly notifications: number;
  readonly how: "request" | "dispatch";
}

/** As the hub has by default: subscriptions that are served at a time, and sockets for an origin. */
const lanes = 128;
const socketsPerOrigin = 64;

const pools = new Map<string, Pool>();

function poolOf(origin: string): Pool {
  const pool = pools.get(origin) ?? new Pool(origin, { connections: socketsPerOrigin });
  pools.set(origin, pool);
  return pool;
}

function requestFor(path: string, secret: string, body: Buffer) {
  return { path, method: "POST", headers: signedHeaders(secret, body), body } as const;
}

async function byRequest(callback: string, bodies: readonly Buffer[]): Promise<void> {
  const { origin, pathname } = new URL(callback);
  const [pool, secret] = [poolOf(origin), secretOf(callback)];
  for (const body of bodies) {
    const { statusCode, body: answered } = await pool.request(requestFor(pathname, secret, body));
    await answered.dump();
    if (statusCode >= 300) throw new Error(`the callback answered ${statusCode}`);
  }
}

function byDispatch(callback: string, bodies: readonly Buffer[]): Promise<void> {
  const { origin, pathname } = new URL(callback);
  const [pool, secret] = [poolOf(origin), secretOf(callback)];
  return new Promise((resolve, reject) => {
    let next = 0;
    const handler = {
      onRequestStart() {},
      onResponseStart(_controller: unknown, status: number) {
        if (status >= 300) reject(new Error(`the callback answered ${status}`));
      },
      onResponseData() {},
      onResponseEnd: () => send(),
      onResponseError: (_controller: unknown, error: Error) => reject(error),
    };
    const send = (): void => {
      const body = bodies[next];
      next += 1;
      if (body === undefined) resolve();
      else pool.dispatch(requestFor(pathname, secret, body), handler);
    };
    send();
  });
}

let number = 0;
const handlers = {
  async deliver({ callbacks, notifications, how }: Deliveries): Promise<void> {
    const bodies = Array.from({ length: notifications }, () => notification((number += 1)));
    const post = how === "request" ? byRequest : byDispatch;
    await inParallel(callbacks.length, lanes, (index) => post(callbacks[index] ?? "", bodies));
  },
};
export type DeliveryBaseline = typeof handlers;
answer(handlers);

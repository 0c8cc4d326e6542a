import { hubSignature, webhookSignature } from "../../src/protocol/signature.ts";

const link =
  '<http://127.0.0.1:8080/websub>; rel="hub", <http://127.0.0.1:8080/sets/s0/change-notification>; rel="self"';
let number = 0;

/** The fields that the hub sends with a delivery, as many and as long, signed as it signs: twice. */
export function signedHeaders(secret: string, body: Buffer): Record<string, string> {
  number += 1;
  const id = `msg_0123456789abcdef0123456789abcdef_${number}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    "user-agent": "bench",
    "content-type": "application/xml",
    link,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-attempt": "1",
    "x-hub-signature": hubSignature(secret, body, "sha256"),
    "webhook-signature": webhookSignature([secret], { id, timestamp, body }),
  };
}

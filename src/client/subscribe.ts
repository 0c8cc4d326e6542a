import { type HubAnswer, type HubRequestOptions, postHubForm } from "./post-hub-form.ts";

export interface UnsubscribeRequest extends HubRequestOptions {
  readonly hub: string | URL;
  readonly topic: string;
  readonly callback: string;
}

export interface SubscribeRequest extends UnsubscribeRequest {
  /** At most 199 bytes in UTF-8; give it only to a hub with https. Without one, nothing is signed. */
  readonly secret?: string | undefined;
  /** Seconds that the subscription is to last; the hub may grant others. */
  readonly leaseSeconds?: number | undefined;
}

/**
 * Asks a hub to deliver a topic to a callback (WebSub §5.1). `accepted` is no confirmation: the hub asks at the callback, soon.
 * The same topic and callback again renew the subscription, with the secret that is given now. Throws `HubUnreachable`.
 */
export async function subscribe(request: SubscribeRequest): Promise<HubAnswer> {
  const { hub, topic, callback, secret, leaseSeconds } = request;
  const fields: [string, string][] = [
    ["hub.mode", "subscribe"],
    ["hub.topic", topic],
    ["hub.callback", callback],
  ];
  if (secret !== undefined) fields.push(["hub.secret", secret]);
  if (leaseSeconds !== undefined) fields.push(["hub.lease_seconds", String(leaseSeconds)]);
  return postHubForm(hub, fields, request);
}

/** Asks a hub to deliver no longer; it asks at the callback first. Throws `HubUnreachable`. */
export async function unsubscribe(request: UnsubscribeRequest): Promise<HubAnswer> {
  const { hub, topic, callback } = request;
  const fields: [string, string][] = [
    ["hub.mode", "unsubscribe"],
    ["hub.topic", topic],
    ["hub.callback", callback],
  ];
  return postHubForm(hub, fields, request);
}

import { randomBytes } from "node:crypto";
import { parseHttpUrl } from "./http-url.ts";

/** A request to a hub (WebSub §5.1, §6), typed. */
export type HubForm =
  | {
      readonly kind: "subscribe";
      /** As it was written. */
      readonly topic: string;
      /** As it was written. */
      readonly callback: string;
      readonly secret: string | undefined;
      /** What was asked for; `undefined` leaves it to the hub. */
      readonly leaseSeconds: number | undefined;
    }
  | { readonly kind: "unsubscribe"; readonly topic: string; readonly callback: string }
  | { readonly kind: "publish"; readonly topics: readonly string[] };

export interface HubFormFaults {
  readonly kind: "faults";
  /** Every fault of the request, each in a sentence. */
  readonly faults: readonly string[];
}

/** WebSub §5.1: a secret is less than 200 bytes in length. */
const maxSecretBytes = 199;

/** Reads the body of a request to the hub, `application/x-www-form-urlencoded` in UTF-8. */
export function parseHubForm(body: Buffer): HubForm | HubFormFaults {
  const form = new URLSearchParams(body.toString("utf8"));
  const faults: string[] = [];
  const mode = onlyValue(form, "hub.mode", faults);
  if (mode === "publish") return parsePublish(form, faults);
  if (mode !== "subscribe" && mode !== "unsubscribe") {
    if (faults.length === 0) faults.push(modeFault(mode));
  }
  const topic = urlValue(form, "hub.topic", faults);
  const callback = urlValue(form, "hub.callback", faults);
  if (mode === "unsubscribe") {
    // hub.lease_seconds is ignored here, even a malformed one (WebSub §5.1).
    return faults.length > 0 ? { kind: "faults", faults } : { kind: "unsubscribe", topic, callback };
  }
  const secret = secretValue(form, faults);
  const leaseSeconds = leaseValue(form, faults);
  return faults.length > 0
    ? { kind: "faults", faults }
    : { kind: "subscribe", topic, callback, secret, leaseSeconds };
}

/** 32 random bytes in the characters that WebSub §5.3 allows: 43 of them. */
export function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}

/** The callback with parameters after its own query, which stays as it is (WebSub §5.3). */
export function callbackWith(callback: string, parameters: Readonly<Record<string, string>>): string {
  const hash = callback.indexOf("#");
  const [base, fragment] = hash === -1 ? [callback, ""] : [callback.slice(0, hash), callback.slice(hash)];
  const added = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const [, query] = /\?(.*)$/s.exec(base) ?? [];
  const joint = query === undefined ? "?" : query === "" || query.endsWith("&") ? "" : "&";
  return `${base}${joint}${added}${fragment}`;
}

/**
 * The form in which two URLs are compared (WebSub §5.1, RFC 3986 §6.2): scheme and host in lower case, no default port,
 * escapes of unreserved characters decoded, the others in upper case. Requests use the URL as it was written.
 */
export function comparableUrl(url: string): string {
  const parsed = parseHttpUrl(url);
  if ("fault" in parsed) return url;
  const target = parsed.target.replaceAll(/%([0-9A-Fa-f]{2})/g, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
  return parsed.origin + target;
}

function modeFault(mode: string): string {
  const found = mode === "" ? "is missing" : `is ${JSON.stringify(mode.slice(0, 40))}`;
  return `hub.mode ${found}; it must be subscribe, unsubscribe or publish (WebSub §5.1).`;
}

function onlyValue(form: URLSearchParams, name: string, faults: string[]): string {
  const [value = "", ...more] = form.getAll(name);
  if (more.some((other) => other !== value)) faults.push(`${name} is given more than once; give it once.`);
  // URLSearchParams decodes bytes that are not UTF-8 to this character.
  if (value.includes("\uFFFD")) faults.push(`${name} is not UTF-8; encode the form in UTF-8 (WebSub §5.1).`);
  return value;
}

function urlFault(name: string, url: string): string | undefined {
  if (url === "") return `${name} is missing; give an absolute http(s) URL.`;
  const parsed = parseHttpUrl(url);
  if ("fault" in parsed) return `${name} ${parsed.fault}; it must be an absolute http(s) URL (WebSub §5.1).`;
  if (name === "hub.callback" && parsed.hasFragment)
    return `${name} has a fragment (#…), which is never sent; leave it out.`;
  return undefined;
}

function urlValue(form: URLSearchParams, name: string, faults: string[]): string {
  const url = onlyValue(form, name, faults);
  const fault = urlFault(name, url);
  if (fault !== undefined) faults.push(fault);
  return url;
}

/** An empty secret is none: it would sign nothing. */
function secretValue(form: URLSearchParams, faults: string[]): string | undefined {
  const secret = onlyValue(form, "hub.secret", faults);
  const bytes = Buffer.byteLength(secret, "utf8");
  if (bytes > maxSecretBytes)
    faults.push(
      `hub.secret has ${bytes} bytes in UTF-8; at most ${maxSecretBytes} are allowed (WebSub §5.1).`,
    );
  return secret === "" ? undefined : secret;
}

function leaseValue(form: URLSearchParams, faults: string[]): number | undefined {
  const text = onlyValue(form, "hub.lease_seconds", faults);
  if (text === "") return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : 0;
  if (seconds < 1)
    faults.push(
      `hub.lease_seconds is ${JSON.stringify(text.slice(0, 40))}; it must be a positive decimal integer (WebSub §5.1).`,
    );
  return seconds;
}

/** Publishers name the topic in hub.url or in hub.topic, once or many times: WebSub §6 leaves it open. */
function parsePublish(form: URLSearchParams, faults: string[]): HubForm | HubFormFaults {
  const named = ["hub.url", "hub.topic"].flatMap((name) => form.getAll(name).map((url) => ({ name, url })));
  if (named.length === 0)
    faults.push("hub.url is missing; name the topic that changed in hub.url or hub.topic.");
  for (const { name, url } of named) {
    const fault = urlFault(name, url);
    if (fault !== undefined) faults.push(fault);
  }
  if (faults.length > 0) return { kind: "faults", faults };
  return { kind: "publish", topics: [...new Set(named.map(({ url }) => url))] };
}

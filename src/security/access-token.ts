import { randomBytes } from "node:crypto";
import { bearerToken } from "../protocol/bearer-token.ts";
import { sha256Hex } from "../protocol/hash.ts";

/** A prefix tells people and secret scanners what they found. */
const prefixes = {
  publisher: "rshub_publisher_",
  subscriber: "rshub_subscriber_",
  admin: "rshub_admin_",
};

/** 256 random bits: long enough that its plain SHA-256 can be kept in a configuration file. */
export function newToken(kind: keyof typeof prefixes): string {
  return prefixes[kind] + randomBytes(32).toString("base64url");
}

export function tokenSha256(token: string): string {
  return sha256Hex(token);
}

const bearerHeader = new RegExp(`^Bearer +(${bearerToken}) *$`, "i");

/** The token of an `Authorization` header (RFC 6750 §2.1). */
export function bearerTokenOf(authorizationHeader: string | undefined): string | undefined {
  return bearerHeader.exec(authorizationHeader ?? "")?.[1];
}

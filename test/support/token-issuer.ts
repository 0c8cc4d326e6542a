import { createServer } from "node:http";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import { newToken } from "../../src/security/access-token.ts";

export const issuer = "https://login.example.org/";
export const audience = "https://hub.example.org";

export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** `bits`: of an RSA key. */
export async function newKey(alg: string, bits?: number): Promise<IssuerKey> {
  const options = { extractable: true, ...(bits === undefined ? {} : { modulusLength: bits }) };
  const { privateKey, publicKey } = await generateKeyPair(alg, options);
  return { kid: newToken("admin"), alg, privateKey, publicKey };
}

export async function keySetOf(keys: readonly IssuerKey[]): Promise<{ keys: unknown[] }> {
  return {
    keys: await Promise.all(
      keys.map(async ({ kid, alg, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg,
        use: "sig",
      })),
    ),
  };
}

interface Wish {
  readonly claims?: JWTPayload;
  readonly header?: Partial<JWTHeaderParameters>;
  /** Seconds since 1970. */
  readonly expires?: number;
  readonly notBefore?: number;
}

const inSeconds = (): number => Math.floor(Date.now() / 1000);

/** A token that the hub believes, unless the wish says otherwise. */
export async function sign(
  key: IssuerKey,
  { claims = {}, header = {}, ...wish }: Wish = {},
): Promise<string> {
  const payload = { iss: issuer, aud: audience, sub: "reader-7", resourcesync: { subscribe: ["secret"] } };
  const jwt = new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .setIssuedAt()
    .setExpirationTime(wish.expires ?? inSeconds() + 600);
  if (wish.notBefore !== undefined) jwt.setNotBefore(wish.notBefore);
  return await jwt.sign(key.privateKey);
}

export interface KeyServer extends AsyncDisposable {
  readonly url: string;
  /** How often it was asked. */
  requests(): number;
  serve(answer: {
    readonly keys?: readonly IssuerKey[];
    readonly status?: number;
    readonly body?: string;
  }): Promise<void>;
}

/** What publishes the keys of an issuer. */
export async function startKeyServer(keys: readonly IssuerKey[]): Promise<KeyServer> {
  let answer = { status: 200, body: JSON.stringify(await keySetOf(keys)) };
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(answer.status, { "Content-Type": "application/jwk-set+json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/jwks.json`,
    requests: () => requests,
    async serve({ keys = [], status = 200, body }) {
      answer = { status, body: body ?? JSON.stringify(await keySetOf(keys)) };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

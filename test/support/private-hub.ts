import { newToken, tokenSha256 } from "../../src/security/access-token.ts";
import { changeNotification } from "./documents.ts";
import { publisherToken, startTestHub, type TestHub, type TestHubOptions } from "./start-hub.ts";

/** Reads `secret`; may publish nothing. */
export const subscriberToken = newToken("subscriber");
/** Reads another private set only. */
export const strangerToken = newToken("subscriber");

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** A hub with a public set `maps`, and two private ones, `secret` and `other`; one notification in each. */
export async function startPrivateHub(options: TestHubOptions = {}): Promise<TestHub> {
  const hub = await startTestHub({
    ...options,
    yaml: `${options.yaml ?? ""}
sets:
  - { id: maps, title: Historic maps }
  - { id: secret, title: Hidden treasures, access: private, describedBy: "https://treasures.example.org/about" }
  - { id: other, title: Hidden letters, access: private, capabilities: { changelist: "https://letters.example.org/list.xml" } }
subscribers:
  - { name: friend, tokenSha256: ${tokenSha256(subscriberToken)}, sets: [secret] }
  - { name: stranger, tokenSha256: ${tokenSha256(strangerToken)}, sets: [other] }
`,
    publishes: "[maps, secret, other]",
  });
  for (const set of ["maps", "secret", "other"]) {
    await hub.publish(changeNotification(1), {
      channel: `${set}/change-notification`,
      token: publisherToken,
    });
  }
  return hub;
}

import { expect, test } from "vitest";
import { tokenOfSubprotocols } from "../../src/protocol/live-subprotocols.ts";
import { bearerTokenOf } from "../../src/security/access-token.ts";

test.each(["abc-._~+/9==", "a", "=", "a b", "a=b", "é", "a\n", ""])(
  "a WebSocket brings the token %j where a header would, and only there",
  (token) => {
    const carrier = `resourcesync-hub.bearer.${Buffer.from(token).toString("base64url")}`;
    expect(tokenOfSubprotocols(`resourcesync-hub.v1+json, ${carrier}`)).toBe(
      bearerTokenOf(`Bearer ${token}`),
    );
  },
);

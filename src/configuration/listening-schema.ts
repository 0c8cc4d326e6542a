import { z } from "zod";
import { addressRange, matching, oneOf, text, value, wholeNumber } from "./values.ts";

const host = text("a host name or an address, such as 127.0.0.1 or ::", matching(/^[\w.:-]{1,253}$/));
const port = wholeNumber(0, 65_535);

export const listen = z.strictObject({ host: host.default("127.0.0.1"), port: port.default(8080) });

/** Of the operators' API alone; its port has no default, so that nobody opens one by a slip. */
export const adminListen = z.strictObject({ host: host.default("127.0.0.1"), port });

const file = text("the name of a file", matching(/\S/));

export const tls = z.strictObject({
  cert: file,
  key: file,
  min: oneOf(["1.2", "1.3"]).default("1.2"),
});

const mostProxies = 10;

/** None, so many in a row, or those with these addresses. */
export const trustProxy = z.union(
  [
    value("none", (found) => (found === "none" ? ("none" as const) : undefined)),
    wholeNumber(1, mostProxies),
    z.array(addressRange).min(1),
  ],
  {
    error: `none, the number of proxies in front (1 to ${mostProxies}), or a list of their addresses and ranges`,
  },
);

/** As browsers send it (RFC 6454 §6.1): no path, no slash at its end, no default port. */
const origin = text("an origin such as https://app.example.org", (found) =>
  /^https?:\/\//.test(found) && URL.canParse(found) && new URL(found).origin === found ? found : undefined,
);

export const cors = z.strictObject({
  origins: z
    .union([z.literal("all"), z.array(origin)], {
      error: "`all` or a list of origins such as https://app.example.org",
    })
    .default("all"),
});

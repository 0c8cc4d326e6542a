import type { Holder, KnownToken } from "../security/access.ts";
import type { Config } from "./schema.ts";

const nothing: Omit<Holder, "from" | "name"> = {
  publish: [],
  subscribe: [],
  operate: false,
  until: undefined,
};

/** What each token of the configuration opens. */
export function knownTokens({
  publishers,
  subscribers,
  admin,
}: Pick<Config, "publishers" | "subscribers" | "admin">): readonly KnownToken[] {
  return [
    ...publishers.flatMap(({ name, tokenSha256, sets }) =>
      each(tokenSha256, { ...nothing, from: "publishers", name, publish: sets }),
    ),
    ...subscribers.flatMap(({ name, tokenSha256, sets }) =>
      each(tokenSha256, { ...nothing, from: "subscribers", name, subscribe: sets }),
    ),
    ...each(admin?.tokenSha256 ?? [], { ...nothing, from: "admin", name: "admin", operate: true }),
  ];
}

function each(hashes: string | readonly string[], holder: Holder): KnownToken[] {
  return [hashes].flat().map((tokenSha256) => ({ tokenSha256, holder }));
}

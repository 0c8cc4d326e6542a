import type { Access, Holder, Identification } from "../security/access.ts";

export type OperatorAuthorisation =
  | Exclude<Identification, { kind: "known" }>
  | { readonly kind: "allowed" }
  | { readonly kind: "no-operator"; readonly who: string };

/** Whether a request comes from an operator, by its bearer token (RFC 6750). */
export function authoriseOperator(access: Pick<Access, "identify">) {
  return async (token: string | undefined): Promise<OperatorAuthorisation> => {
    const found = await access.identify(token);
    if (found.kind !== "known") return found;
    return found.holders.some(({ operate }) => operate)
      ? { kind: "allowed" }
      : { kind: "no-operator", who: describe(found.holders[0]) };
  };
}

const describe = ({ name, publish }: Holder): string =>
  `the ${publish.length > 0 ? "publisher" : "subscriber"} ${name}`;

export type AuthoriseOperator = ReturnType<typeof authoriseOperator>;

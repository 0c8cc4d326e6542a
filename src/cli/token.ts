import { Command, Option } from "commander";
import { newToken, tokenSha256 } from "../security/access-token.ts";

type Kind = Parameters<typeof newToken>[0];

/** `token new`: the token for whoever uses it, its hash for the hub. */
export function tokenCommand(): Command {
  return new Command("token").description("makes access tokens").addCommand(
    new Command("new")
      .description("makes a token, and says what to write into hub.yaml")
      .addOption(
        new Option("--kind <kind>", "who will use it")
          .choices(["publisher", "subscriber", "admin"] satisfies Kind[])
          .default("publisher"),
      )
      .addHelpText(
        "after",
        `
Nothing is kept: give the token to the one who uses it, and its hash to the hub.

Examples:
  resourcesync-hub token new
  resourcesync-hub token new --kind subscriber
  resourcesync-hub token new --kind admin`,
      )
      .action(({ kind }: { kind: Kind }) => {
        const token = newToken(kind);
        console.log(describeToken(kind, token, tokenSha256(token)));
      }),
  );
}

function describeToken(kind: Kind, token: string, hash: string): string {
  const lines =
    kind === "admin"
      ? [`admin: { tokenSha256: ${hash} }`]
      : kind === "publisher"
        ? ["publishers:", `  - { name: my-source, tokenSha256: ${hash}, sets: all }`]
        : ["subscribers:", `  - { name: my-destination, tokenSha256: ${hash}, sets: all }`];
  return `token:       ${token}
tokenSha256: ${hash}

For hub.yaml:

${lines.join("\n")}

The ${kind} sends the token with each request: Authorization: Bearer ${token}`;
}

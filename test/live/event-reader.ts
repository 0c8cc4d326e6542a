import { get, type IncomingMessage } from "node:http";

interface ReceivedEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export interface EventReader extends Disposable {
  readonly response: IncomingMessage;
  readonly events: ReceivedEvent[];
  /** Everything that came, as it came. */
  text(): string;
  readonly ended: Promise<void>;
}

/** Reads Server-Sent Events as HTML §9.2.6 says, as far as a hub uses them. */
export async function connectEventReader(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { accept: "text/event-stream", ...headers } }, resolve).on("error", reject);
  });
  const events: ReceivedEvent[] = [];
  const chunks: string[] = [];
  let rest = "";
  response.setEncoding("utf8");
  response.on("error", () => {});
  response.on("data", (chunk: string) => {
    chunks.push(chunk);
    const blocks = `${rest}${chunk}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = block
        .split("\n")
        .map((line) => /^(\w+): (.*)$/s.exec(line))
        .filter((match) => match !== null);
      const valuesOf = (name: string) =>
        fields.filter((field) => field[1] === name).map((field) => field[2]!);
      if (valuesOf("data").length === 0) continue;
      events.push({ id: valuesOf("id")[0], event: valuesOf("event")[0], data: valuesOf("data").join("\n") });
    }
  });
  return {
    response,
    events,
    text: () => chunks.join(""),
    ended: new Promise((resolve) => response.once("close", resolve)),
    [Symbol.dispose]: () => response.destroy(),
  };
}

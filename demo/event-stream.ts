import { setTimeout as pause } from "node:timers/promises";

export type StreamEvent =
  | { readonly kind: "event"; readonly id: string; readonly type: string; readonly data: string }
  | { readonly kind: "lost" };

/** What a browser's EventSource does (HTML standard §9.2): reads events, and comes back with the last id when the stream ends. */
export async function* readEventStream(url: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let lastEventId = "";
  while (!signal.aborted) {
    try {
      const headers = {
        Accept: "text/event-stream",
        ...(lastEventId === "" ? {} : { "Last-Event-ID": lastEventId }),
      };
      const response = await fetch(url, { headers, signal });
      if (!response.ok || response.body === null) throw new Error(`the hub answered ${response.status}`);
      let text = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
          const event = parseEvent(text.slice(0, end));
          text = text.slice(end + 2);
          if (event === undefined) continue;
          lastEventId = event.id === "" ? lastEventId : event.id;
          yield { ...event, id: lastEventId };
        }
      }
    } catch {
      // The stream broke, or the hub is not there: what follows is the same.
    }
    if (signal.aborted) return;
    yield { kind: "lost" };
    await pause(500, undefined, { signal }).catch(() => {});
  }
}

function parseEvent(block: string) {
  const fields = new Map<string, string[]>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).replace(/^ /, "")]);
  }
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return {
    kind: "event" as const,
    id: fields.get("id")?.at(-1) ?? "",
    type: fields.get("event")?.at(-1) ?? "message",
    data: data.join("\n"),
  };
}

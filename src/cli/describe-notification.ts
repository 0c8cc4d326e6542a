import pc from "picocolors";

const colours = { created: pc.green, updated: pc.yellow, deleted: pc.red };
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

interface SeenChange {
  readonly change: string;
  readonly uri: string;
}

/** The entries of a notification of any profile. For the eyes of a person: nothing is checked, nothing refused. */
function changesIn(payload: string): readonly SeenChange[] {
  return [...payload.matchAll(/<(?:[\w.-]+:)?url[\s>].*?<\/(?:[\w.-]+:)?url\s*>/gs)].map(([entry]) => ({
    change: /\schange\s*=\s*["'](\w+)["']/.exec(entry)?.[1] ?? "?",
    uri: printable(textOf(/<(?:[\w.-]+:)?loc\s*>\s*([^<]*?)\s*</.exec(entry)?.[1] ?? "?")),
  }));
}

/** One line for the notification, one for each change. */
export function describeNotification(notification: {
  readonly position: string;
  readonly receivedAt: string;
  readonly payload: string;
}): string {
  const changes = changesIn(notification.payload);
  const head = `${pc.bold(printable(notification.position))}  ${pc.dim(printable(notification.receivedAt))}`;
  return [head, ...changes.map(({ change, uri }) => `  ${paint(change)(change.padEnd(7))}  ${uri}`)].join(
    "\n",
  );
}

const paint = (change: string): ((text: string) => string) =>
  Object.entries(colours).find(([name]) => name === change)?.[1] ?? String;

const textOf = (xml: string): string =>
  xml.replaceAll(/&(\w+);/g, (reference, name: string) => entities[name] ?? reference);

/** Control characters, which XML may hold and a terminal would obey, are made visible. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "\uFFFD");
}

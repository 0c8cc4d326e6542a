import { pino, type DestinationStream, type Logger } from "pino";
import { prettyFactory } from "pino-pretty";

export type { Logger } from "pino";

export interface LoggerOptions {
  readonly level: string;
  /** `auto`: for a person where standard error is a terminal, JSON otherwise. */
  readonly format: "auto" | "json" | "text";
}

/** Logs to standard error: standard output belongs to what a command answers. */
export function createLogger({ level, format }: LoggerOptions, destination?: DestinationStream): Logger {
  const forPerson = format === "text" || (format === "auto" && process.stderr.isTTY);
  const settings = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ["secret", "*.secret", "token", "*.token", "authorization"],
  };
  const to = destination ?? lossyStderr();
  if (!forPerson) {
    const write = (line: string): void => to.write(line.replace(unseen, escaped));
    return pino({ ...settings, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  }
  const print = prettyFactory({
    translateTime: "HH:MM:ss.l",
    colorize: destination === undefined && process.stderr.isTTY,
  });
  const write = (line: string): void =>
    to.write(print(line.replace(unseen, escaped).replace(obeyed, "$1\\\\$2")));
  return pino(settings, { write });
}

/** Strangers' texts stand in the log. JSON does not escape all that a terminal obeys, or that turns the direction of text. */
const unseen = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Escapes of JSON that would become what they stand for in a log for people, but for those of line breaks and tabs. */
const obeyed = /(?<!\\)((?:\\\\)*)\\(u[0-9a-f]{4}|[bfr])/gi;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What waits for a log that cannot be written, a full disk perhaps; what is more is dropped. */
const mostWaiting = 1_000_000;

/** A log that cannot be written must not fail what it tells of: a write error would be thrown into whoever logs. */
function lossyStderr(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: mostWaiting }).on("error", () => {});
}

/** For parts and tests that are to say nothing. */
export const silentLogger: Logger = pino({ level: "silent" });

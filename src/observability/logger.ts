import { pino, type DestinationStream, type Logger } from "pino";
import { build as pretty } from "pino-pretty";

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
  if (destination !== undefined) return pino(settings, destination);
  const stderr = lossyStderr();
  if (!forPerson) return pino({ ...settings, timestamp: pino.stdTimeFunctions.isoTime }, stderr);
  return pino(
    settings,
    pretty({ destination: stderr, translateTime: "HH:MM:ss.l", colorize: process.stderr.isTTY }),
  );
}

/** What waits for a log that cannot be written, a full disk perhaps; what is more is dropped. */
const mostWaiting = 1_000_000;

/** A log that cannot be written must not fail what it tells of: a write error would be thrown into whoever logs. */
function lossyStderr(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: mostWaiting }).on("error", () => {});
}

/** For parts and tests that are to say nothing. */
export const silentLogger: Logger = pino({ level: "silent" });

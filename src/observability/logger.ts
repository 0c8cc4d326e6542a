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
  if (!forPerson) return pino({ ...settings, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
  return pino(
    settings,
    pretty({ destination: 2, sync: true, translateTime: "HH:MM:ss.l", colorize: process.stderr.isTTY }),
  );
}

/** For parts and tests that are to say nothing. */
export const silentLogger: Logger = pino({ level: "silent" });

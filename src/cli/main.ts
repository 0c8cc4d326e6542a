#!/usr/bin/env node
import { CommanderError } from "commander";
import { ConfigurationFaults } from "../config.ts";
import { createProgram } from "./program.ts";

/** As of `grep` and `diff`: 1 is an answer, 2 is trouble with the question. */
const usageError = 2;

// Whoever read our output has left (`… | head`): end as if asked to.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.kill(process.pid, "SIGTERM");
});

// Nothing here calls process.exit: what is being written or closed is to be finished first.
try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; to ask for help is no mistake.
    process.exitCode = error.exitCode === 0 ? 0 : usageError;
  } else if (error instanceof ConfigurationFaults) {
    console.error(error.message);
    process.exitCode = usageError;
  } else {
    console.error(error instanceof Error ? `resourcesync-hub: ${error.message}` : error);
    process.exitCode = 1;
  }
}

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/redis-server.ts"],
    reporters: ["default", "./test/support/count-reporter.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // Of the tests in one file that run at the same time: each of the XML bombs takes a processor.
    maxConcurrency: 2,
  },
});

import { vi } from "vitest";

/** Waits for a condition, at most `seconds`; what the last look threw is what the test fails with. */
export async function waitUntil(check: () => void | Promise<void>, seconds = 10): Promise<void> {
  await vi.waitFor(check, { timeout: seconds * 1000, interval: 20 });
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { expect, test } from "vitest";
import { createGroupCommit } from "../../src/log/embedded-group-commit.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import { waitUntil } from "../support/wait-until.ts";

test("a store that did not take a write is left alone for a second, and then takes writes again", async () => {
  const path = await mkdtemp(join(tmpdir(), "hub-commit-"));
  const root: RootDatabase<unknown> = open({ path, noSubdir: false, maxDbs: 4, eventTurnBatching: false });
  const rows = root.openDB<unknown, string[]>({ name: "rows" });
  let [isFull, batches] = [true, 0];
  const filling = new Proxy(root, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name, target);
      return async (action: () => void) => {
        batches += 1;
        if (isFull) throw new Error("No space left on device");
        return await target.batch(action);
      };
    },
  });
  const commits = createGroupCommit(filling);
  const write = (): Promise<string> =>
    commits.write((changing) => {
      changing.put(rows, ["a"], 1);
      return "written";
    });
  try {
    await expect(write()).rejects.toThrow(StorageUnavailable);
    isFull = false;
    for (let n = 0; n < 20; n += 1) await expect(write()).rejects.toThrow(StorageUnavailable);
    expect(batches).toBe(1);
    await waitUntil(async () => expect(await write()).toBe("written"));
    expect(batches).toBe(2);
  } finally {
    await root.close();
    await rm(path, { recursive: true, force: true });
  }
});

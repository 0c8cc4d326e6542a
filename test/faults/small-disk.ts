import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A small file system of a round's own, which can be filled up. */
export interface SmallDisk extends AsyncDisposable {
  /** Leaves so many bytes. */
  fill(spare: number): Promise<void>;
  empty(): Promise<void>;
}

const run = promisify(execFile);
const bytes = 48 * 1024 * 1024;

/** A tmpfs over `directory`; `undefined` where this user may not mount one. */
export async function mountSmallDisk(directory: string): Promise<SmallDisk | undefined> {
  await mkdir(directory, { recursive: true });
  const size = `size=${bytes},mode=0700`;
  const isMounted = await run("mount", ["-t", "tmpfs", "-o", size, "tmpfs", directory]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return undefined;
  const ballast = join(directory, "ballast");
  return {
    fill: (spare) => writeFile(ballast, Buffer.alloc(Math.max(bytes - spare, 0))).catch(() => {}),
    empty: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await run("umount", [directory]);
    },
  };
}

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Another process works with the data directory. */
export class DirectoryInUse extends Error {
  override name = "DirectoryInUse";
  readonly mayRetry = false;
}

/** Linux takes 107 bytes, macOS 103. */
const longestSocketPath = 103;

/** Shared directories of virtual machines often hold no sockets. */
const holdsNoSockets = ["EOPNOTSUPP", "ENOTSUP", "EPERM", "EINVAL"];

/** Where the socket may lie: in the directory, or else, under a name of the directory, where every process finds it. */
function socketPaths(directory: string): string[] {
  const name = `resourcesync-hub-${createHash("sha256").update(directory).digest("hex").slice(0, 20)}`;
  if (process.platform === "win32") return [`\\\\.\\pipe\\${name}`];
  const paths = [join(directory, "in-use.sock"), join(tmpdir(), `${name}.sock`)];
  return paths.filter((path) => Buffer.byteLength(path) <= longestSocketPath);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

async function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  await once(server, "listening");
  return server.unref();
}

/** Only a living process answers: its socket dies with it, however it ended, and no other process can inherit it. */
async function isAlive(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Moves a dead process's socket away. What was moved is tested again: another process may have taken the path just now. */
async function clearStale(path: string): Promise<boolean> {
  const aside = `${path}.${randomBytes(3).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  const alive = await isAlive(aside);
  if (alive) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return !alive;
}

/** `undefined` where a living process has it. */
async function takeSocket(path: string): Promise<Server | undefined> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      return await listenAt(path);
    } catch (error) {
      if (codeOf(error) !== "EADDRINUSE") throw error;
    }
    if ((await isAlive(path)) || !(await clearStale(path))) return undefined;
  }
  return undefined;
}

/**
 * Takes the directory for this process, until it is released or the process ends. Node has no `flock`, and a process id in
 * a file says nothing after a restart in a container, where every hub is process 1: so a listening socket is the lock, and
 * the id only serves the message.
 *
 * Throws `DirectoryInUse`.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const pidFile = join(directory, "in-use.pid");
  for (const path of socketPaths(directory)) {
    try {
      const server = await takeSocket(path);
      if (server === undefined) break;
      await writeFile(pidFile, `${process.pid}\n`);
      return async () => {
        await rm(pidFile, { force: true });
        await new Promise((resolve) => server.close(resolve));
      };
    } catch (error) {
      if (!holdsNoSockets.includes(codeOf(error))) throw error;
    }
  }
  const pid = await readFile(pidFile, "utf8").catch(() => "unknown");
  throw new DirectoryInUse(
    `The data directory ${directory} is in use by another hub (process ${pid.trim()}): stop that one, or give this one a directory of its own`,
  );
}

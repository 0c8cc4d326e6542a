import { connect, createServer, type Socket } from "node:net";

/** One port in front of several hub processes, as an operator would have: each connection goes to the next one that answers. */
export async function startProxy(
  port: number,
  targets: readonly number[],
): Promise<{ close(): Promise<void> }> {
  const open = new Set<Socket>();
  let turn = 0;

  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => client.destroy());
    client.on("close", () => open.delete(client));
    const first = (turn += 1);
    const tryTarget = (attempt: number): void => {
      const target = targets[(first + attempt) % targets.length];
      if (target === undefined || attempt >= targets.length) {
        client.destroy();
        return;
      }
      const hub = connect(target, "127.0.0.1");
      hub.once("connect", () => {
        client.pipe(hub).pipe(client);
        hub.on("close", () => client.destroy());
        client.on("close", () => hub.destroy());
      });
      let connected = false;
      hub.once("connect", () => (connected = true));
      hub.on("error", () => {
        if (connected) client.destroy();
        else tryTarget(attempt + 1);
      });
    };
    tryTarget(0);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

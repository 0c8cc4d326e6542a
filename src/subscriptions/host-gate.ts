interface Host {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs work for a host when fewer than `width` others run for it; the rest waits in order. */
export type HostGate = <Result>(host: string, work: () => Promise<Result>) => Promise<Result>;

export function createHostGate(width: number): HostGate {
  const hosts = new Map<string, Host>();

  async function enter(host: Host): Promise<void> {
    if (host.running >= width) await new Promise<void>((resolve) => host.waiting.push(resolve));
    else host.running += 1;
  }

  function leave(name: string, host: Host): void {
    const next = host.waiting.shift();
    // Its place is handed on, so that nobody who comes now can take it.
    if (next !== undefined) next();
    else host.running -= 1;
    if (host.running === 0) hosts.delete(name);
  }

  return async (name, work) => {
    const host = hosts.get(name) ?? { running: 0, waiting: [] };
    hosts.set(name, host);
    await enter(host);
    try {
      return await work();
    } finally {
      leave(name, host);
    }
  };
}

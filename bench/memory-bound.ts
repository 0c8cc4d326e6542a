/**
 * What one hub process takes of memory at its peak under each abuse by clients, each against a fresh hub, and whether it answers
 * others meanwhile: every 100 ms somebody asks /livez and publishes. It runs the built hub: `npm run build` comes first.
 * Ends with 1 where a peak is beyond the bound. The abusers are on this machine, which no limit by address counts
 * (`limits.connectionsPerAddress`, `limits.requestsPerMinute`): what is seen here is what the other limits hold.
 *
 *   npx tsx bench/memory-bound.ts [seconds of each] [part of its name] [--redis]
 */
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type HubUnderTest, startHubUnderTest, token } from "./harness/hub-under-test.ts";
import { notification } from "./harness/notification.ts";

const [given = "8", wanted = ""] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const seconds = Number(given);
if (!(seconds > 0)) {
  throw new RangeError(`the seconds of each abuse are "${given}"; expected a number above 0, such as 15`);
}

/** Of the hub's process. Clients that pipeline, read nothing and come back at once have been seen to take 725. */
const mostMegabytes = 1000;

const engine = process.argv.includes("--redis") ? "redis" : "embedded";

interface Abuse {
  readonly name: string;
  readonly run: (hub: HubUnderTest, ended: () => boolean) => Promise<void>;
}

const publishing = (hub: HubUnderTest, length: number | "chunked", authorised = true): string =>
  [
    `POST ${hub.path} HTTP/1.1`,
    "Host: hub",
    ...(authorised ? [`Authorization: Bearer ${token}`] : []),
    "Content-Type: application/xml",
    length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    "",
    "",
  ].join("\r\n");

const upgrade = (hub: HubUnderTest, query = ""): string =>
  [
    `GET ${hub.path}${query} HTTP/1.1`,
    "Host: hub",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    "",
    "",
  ].join("\r\n");

/** A client that writes what it is given again and again as fast as it is taken, and reads nothing unless it is told to. */
function client(
  hub: HubUnderTest,
  begin: string,
  then: string | Buffer | undefined,
  ended: () => boolean,
  reads = false,
): Socket {
  const socket = connect(hub.port, "127.0.0.1", () => {
    socket.write(begin);
    if (then !== undefined) pump(then);
  });
  const pump = (bytes: string | Buffer): void => {
    while (!ended() && socket.writable) {
      if (!socket.write(bytes)) {
        socket.once("drain", () => pump(bytes));
        return;
      }
    }
  };
  socket.on("error", () => socket.destroy());
  if (reads) socket.resume();
  else socket.pause();
  return socket;
}

/** So many clients at a time; who is ended by the hub comes again. */
async function clients(count: number, ended: () => boolean, make: (number: number) => Socket): Promise<void> {
  const open = new Set<Socket>();
  for (let number = 0; !ended(); number += 1) {
    if (open.size >= count) {
      await sleep(20);
      continue;
    }
    const socket = make(number);
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    if (number % 50 === 49) await sleep(1);
  }
  for (const socket of open) socket.destroy();
}

async function publish(hub: HubUnderTest, number: number, bytes: number): Promise<number> {
  const response = await fetch(`${hub.baseUrl}${hub.path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/xml" },
    body: new Uint8Array(notification(number, bytes)),
  });
  await response.body?.cancel();
  return response.status;
}

const pings = Buffer.concat(
  Array.from({ length: 500 }, () => Buffer.from([0x89, 0xfd, 0, 0, 0, 0, ...Buffer.alloc(125)])),
);
const megabyte = Buffer.alloc(1_000_000, "<a/>");
const form = (number: number): string =>
  new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": "http://hub.invalid/t",
    "hub.callback": `http://n${number}.invalid/`,
  }).toString();

async function neverReading(
  hub: HubUnderTest,
  ended: () => boolean,
  query: (number: number) => string,
): Promise<void> {
  for (let number = 1; number <= 300; number += 1) await publish(hub, number, 100_000);
  const readers = clients(1_500, ended, (number) =>
    client(hub, upgrade(hub, query(number)), undefined, ended),
  );
  for (let number = 301; !ended(); number += 1) await publish(hub, number, 100_000);
  await readers;
}

const abuses: readonly Abuse[] = [
  {
    name: "nobody does anything",
    run: async (_hub, ended) => {
      while (!ended()) await sleep(50);
    },
  },
  {
    name: "3,000 connections whose headers never end",
    run: (hub, ended) =>
      clients(3_000, ended, () => client(hub, "GET / HTTP/1.1\r\nX-A: ", undefined, ended)),
  },
  {
    name: "500 bodies without a token, as fast as they are taken",
    run: (hub, ended) =>
      clients(500, ended, () =>
        client(hub, publishing(hub, "chunked", false), `f4240\r\n${megabyte.toString()}\r\n`, ended, true),
      ),
  },
  {
    name: "1,000 publications of 5 MB that stop before their end",
    run: (hub, ended) =>
      clients(1_000, ended, () =>
        client(hub, publishing(hub, 5_000_000), undefined, ended).once(
          "connect",
          function write(this: Socket) {
            this.write(megabyte.subarray(0, 900_000));
            this.write(megabyte);
            this.write(megabyte);
            this.write(megabyte);
          },
        ),
      ),
  },
  {
    name: "200 connections that pipeline and never read",
    run: (hub, ended) =>
      clients(200, ended, () =>
        client(hub, "", "GET /.well-known/resourcesync HTTP/1.1\r\nHost: hub\r\n\r\n".repeat(500), ended),
      ),
  },
  {
    name: "1,500 live readers that never read",
    run: (hub, ended) => neverReading(hub, ended, () => ""),
  },
  {
    name: "1,500 live readers that begin at the earliest and never read",
    run: (hub, ended) => neverReading(hub, ended, () => "?after=earliest"),
  },
  {
    name: "200 live readers that ping and never read",
    run: (hub, ended) => clients(200, ended, () => client(hub, upgrade(hub), pings, ended)),
  },
  {
    name: "upgrades to nowhere, as many as can be",
    run: (hub, ended) =>
      clients(500, ended, () =>
        client(hub, upgrade(hub).replace("change-notification", "nothing"), undefined, ended, true),
      ),
  },
  {
    name: "requests to subscribe under new names, as many as can be",
    run: (hub, ended) =>
      clients(200, ended, (number) => {
        const body = form(number).replace(
          encodeURIComponent("http://hub.invalid/t"),
          encodeURIComponent(`${hub.baseUrl}${hub.path}`),
        );
        const head = `POST /websub HTTP/1.1\r\nHost: hub\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
        return client(hub, head + body, undefined, ended, true);
      }),
  },
  {
    name: "documents of 10 MB to be validated, from 50 clients",
    run: (hub, ended) =>
      clients(50, ended, () =>
        client(
          hub,
          `POST /validate HTTP/1.1\r\nHost: hub\r\nConnection: close\r\nContent-Type: application/xml\r\nContent-Length: 10000000\r\n\r\n<a>`,
          megabyte,
          ended,
          true,
        ),
      ),
  },
];

async function peakOf(pid: number): Promise<number> {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function measure({ name, run }: Abuse): Promise<void> {
  await using hub = await startHubUnderTest({
    engine,
    yaml: "limits: { validatesPerMinute: 100000 }\n",
  });
  const until = performance.now() + seconds * 1000;
  const ended = (): boolean => performance.now() > until;
  const waits: number[] = [];
  const published: Record<number, number> = {};
  async function watch(): Promise<void> {
    for (let number = 1_000_000; !ended(); number += 1) {
      const begun = performance.now();
      await fetch(`${hub.baseUrl}/livez`).then((response) => response.body?.cancel());
      const status = await publish(hub, number, 2000);
      published[status] = (published[status] ?? 0) + 1;
      waits.push(performance.now() - begun);
      await sleep(100);
    }
  }
  await Promise.all([run(hub, ended), watch()]);
  const peak = Math.round(await peakOf(hub.pid));
  const isBeyond = peak > mostMegabytes;
  if (isBeyond) process.exitCode = 1;
  const longest = Math.round(Math.max(...waits));
  console.log(
    `${String(peak).padStart(5)} MB   ${String(longest).padStart(6)} ms   ${JSON.stringify(published)}   ${name}${isBeyond ? `: BEYOND ${mostMegabytes} MB` : ""}`,
  );
}

console.log(` peak     longest wait   answers to a publisher   (${seconds} s each, ${engine} engine)
Loopback is exempt from limits by address; the bound is ${mostMegabytes} MB.`);
const together: Abuse = {
  name: "all of these at once",
  run: async (hub, ended) => void (await Promise.all(abuses.map(({ run }) => run(hub, ended)))),
};
for (const abuse of [...abuses, together]) if (abuse.name.includes(wanted)) await measure(abuse);

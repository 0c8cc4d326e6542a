import type { ChannelId } from "../channels/channel.ts";
import type { Appended } from "./notification-log.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { hubKeys } from "./redis-keys.ts";

interface AppendedByOthers {
  readonly prefix: string;
  /** Names this process in the messages, so that it can tell its own. */
  readonly sender: string;
  readonly newest: (channel: ChannelId) => Promise<number>;
  readonly tell: (appended: Appended) => void;
}

/** Listens to what other processes append, to the channels that were named to it. */
export function listenForAppended(
  connection: RedisConnection,
  { prefix, sender, newest, tell }: AppendedByOthers,
) {
  const known = new Map<string, ChannelId>();
  const { subscriber } = connection;
  const { appended: wakeChannel } = hubKeys(prefix);

  const onMessage = (wokenBy: string, message: string): void => {
    if (wokenBy !== wakeChannel) return;
    const [from, sequence, name = ""] = message.split(" ");
    const channel = known.get(name);
    if (from !== sender && channel !== undefined) tell({ channel, newest: Number(sequence), local: false });
  };
  const subscribe = (): void => {
    // A connection that is lost meanwhile subscribes when it is back.
    subscriber.subscribe(wakeChannel).catch(() => {});
  };
  const announceAll = async (): Promise<void> => {
    for (const channel of known.values()) tell({ channel, newest: await newest(channel), local: false });
  };
  const forgetReconnections = connection.onReconnected(() => {
    subscribe();
    // If the connection is lost again, its next return announces them.
    announceAll().catch(() => {});
  });
  subscriber.on("message", onMessage);
  subscribe();

  return {
    name(channel: ChannelId): void {
      known.set(channel, channel);
    },
    async close(): Promise<void> {
      forgetReconnections();
      subscriber.off("message", onMessage);
      await subscriber.unsubscribe(wakeChannel).catch(() => {});
    },
  };
}

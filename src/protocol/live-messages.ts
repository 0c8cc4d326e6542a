import { z } from "zod";

const liveMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("notification"),
    position: z.string(),
    /** A W3C Datetime in UTC. */
    receivedAt: z.string(),
    payload: z.string(),
  }),
  /** Everything that the log held has been sent; what follows is live. */
  z.object({ type: z.literal("caught-up"), position: z.string() }),
  /** The log no longer holds what was asked for; what it holds after `oldest` follows. */
  z.object({ type: z.literal("gap"), oldest: z.string(), changeList: z.string().exactOptional() }),
]);

/** What a live channel tells a reader. Positions are opaque: they are only ever sent back. */
export type LiveMessage = Readonly<z.output<typeof liveMessageSchema>>;

/** Unknown members are passed over, and a message of an unknown type is `undefined`: later hubs may say more. */
export function parseLiveMessage(text: string): LiveMessage | undefined {
  try {
    return liveMessageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function writeLiveMessage(message: LiveMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/** Where a reader that has received `message` would resume. */
export function positionAfter(message: LiveMessage): string {
  return message.type === "gap" ? message.oldest : message.position;
}

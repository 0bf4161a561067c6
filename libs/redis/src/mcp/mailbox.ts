import { MCP_LEASE_MS, MCP_MESSAGE_BYTES_MAX, UnsentError } from "@bulkhead/core";
import type { RedisClient } from "../connect/connect.ts";
import { CHECK_MS } from "../stream/names.ts";
import type { StreamRedis } from "../stream/stream-redis.ts";

/**
 * Messages to processes wait in lists, and a channel rings: Redis cuts off a subscriber that has 32 MB unread, and with
 * it all that its process hears, while a list only says that it is full.
 */
const MAIL_BYTES_MAX = 4 * MCP_MESSAGE_BYTES_MAX;
/** Bytes that a message counts beside its own, so that small ones are bounded too. */
const MAIL_OVERHEAD = 64;
/** Messages that are taken at once have about so many bytes; a larger one is taken alone. */
const MAIL_TAKEN_BYTES = 256 * 1024;
/** A process that takes no message for as long holds no server any more. Milliseconds. */
const MAIL_MS = MCP_LEASE_MS;

// The process's hash tag keeps its mailbox and the size on one node of a cluster.
const keysOf = (process: string): [mailbox: string, size: string] => [
  `bh:mcp-mail:{${process}}`,
  `bh:mcp-mail:{${process}}:bytes`,
];
const channelOf = (process: string): string => `bh:mcp-mail:${process}`;

/**
 * Rejects with an UnsentError where the mailbox is full, as it is of a process that takes nothing, and where no Redis is
 * connected; with another error nobody knows.
 */
export async function mailTo(redis: RedisClient, to: string, message: string): Promise<"sent" | "too_large"> {
  if (Buffer.byteLength(message) > MCP_MESSAGE_BYTES_MAX) return "too_large";
  // The client would refuse it, too, by words that nothing can be told from.
  if (redis.status !== "ready") throw new UnsentError("Redis is not connected");
  const bounds = [MAIL_BYTES_MAX, MAIL_MS, MAIL_OVERHEAD] as const;
  if ((await redis.bhSendMail(...keysOf(to), message, ...bounds, channelOf(to))) === 1) return "sent";
  throw new UnsentError(`the mailbox of ${to} is full`);
}

interface Mailbox {
  /** Resolves once its channel is heard, or with false where it is not. */
  ready: Promise<boolean>;
  /** Nothing is told from here on. */
  close(): void;
}

/** Tells the messages to a process in order, until it is closed. It looks by itself too, in case a ring was lost. */
export function openMailbox(
  { commands, subscriptions, onError }: StreamRedis,
  self: string,
  onMessage: (message: string) => void,
): Mailbox {
  let isClosed = false;
  let rung = false;
  let takes = false;

  const tell = (message: string): void => {
    if (isClosed) return;
    try {
      onMessage(message);
    } catch (error) {
      // One message's fault must not keep the next ones back.
      onError(error);
    }
  };
  const takeAll = async (): Promise<void> => {
    takes = true;
    try {
      while (rung) {
        if (isClosed) return;
        rung = false;
        const messages = await commands.bhTakeMail(...keysOf(self), MAIL_TAKEN_BYTES, MAIL_OVERHEAD);
        // There may be more, or have come more.
        rung ||= messages.length > 0;
        messages.forEach(tell);
      }
    } catch (error) {
      // The next ring, or the next look, tries again.
      if (!isClosed) onError(error);
    } finally {
      takes = false;
    }
  };
  const ring = (): void => {
    rung = true;
    if (!takes) void takeAll();
  };

  const subscription = subscriptions.subscribe(channelOf(self), { onMessage: ring, onRestored: ring });
  const looks = setInterval(ring, CHECK_MS);
  return {
    ready: subscription.ready.then(() => {
      ring();
      return subscriptions.isLive(channelOf(self));
    }),
    close: () => {
      isClosed = true;
      clearInterval(looks);
      subscription.close();
    },
  };
}

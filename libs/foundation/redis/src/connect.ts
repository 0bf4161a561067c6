import { Fault } from "@bulkhead/faults";
import { Redis } from "ioredis";

/** A command that Redis has not answered by then is given up: whoever asked must not hang. Milliseconds. */
const COMMAND_MS_MAX = 2_000;
/** A socket that says nothing for so long after a command is dead and replaced. Milliseconds. */
const SILENCE_MS_MAX = 5_000;
/** How long opening waits for Redis. Milliseconds. */
const OPEN_MS_MAX = 10_000;
const RECONNECT_MS_MAX = 1_000;
const CLOSE_MS_MAX = 1_000;

/** The wait before the nth try to reconnect: fast at first, since every waiting tenant feels it. */
export const reconnectMs = (times: number): number =>
  Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MS_MAX);

export interface ConnectInput {
  redisUrl: string;
  /** Shown by `CLIENT LIST`. */
  name: string;
  onError: (error: Error) => void;
}

/**
 * A connection whose commands fail within `COMMAND_MS_MAX` where Redis is away, at once where that is known.
 * Reconnects by itself for ever. Throws `service.unavailable` when Redis is not there within `OPEN_MS_MAX`.
 */
export async function connect({ redisUrl, name, onError }: ConnectInput): Promise<Redis> {
  const redis = new Redis(redisUrl, {
    connectionName: name,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // A subscriber says again what it still wants.
    autoResubscribe: false,
    retryStrategy: reconnectMs,
  });
  redis.on("error", onError);
  try {
    await becomesReady(redis);
  } catch (cause) {
    redis.disconnect();
    throw new Fault("service.unavailable", { internal: "Redis can't be reached", cause });
  }
  return redis;
}

async function becomesReady(redis: Redis): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let lastError: Error | undefined;
  const remember = (error: Error): void => void (lastError = error);
  redis.on("error", remember);
  try {
    await new Promise<void>((resolve, reject) => {
      redis.once("ready", resolve);
      timer = setTimeout(
        () => reject(new Error(`no Redis within ${OPEN_MS_MAX} ms`, { cause: lastError })),
        OPEN_MS_MAX,
      );
    });
  } finally {
    clearTimeout(timer);
    redis.off("error", remember);
  }
}

/** Ends a connection; resolves when its socket is gone. */
export async function disconnect(redis: Redis): Promise<void> {
  // While it waits to reconnect there is no socket, and no event would come.
  if (redis.status === "end" || redis.status === "reconnecting") {
    redis.disconnect();
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    redis.once("end", resolve);
    timer = setTimeout(resolve, CLOSE_MS_MAX);
    redis.disconnect();
  });
  clearTimeout(timer);
}

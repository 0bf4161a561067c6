import { connect, disconnect } from "@bulkhead/redis";
import { StartRefusal } from "./start-refusal.ts";

/**
 * Throws a StartRefusal with the setting, the address (never the password) and the reason when the Redis of `REDIS_URL`
 * is not there within ten seconds, and the signal's reason where that fires first. `say` gets a line as soon as it has to wait.
 */
export async function requireRedis(
  redisUrl: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let isSilent = true;
  const onError = (error: Error): void => {
    if (isSilent) say(`waiting for Redis: ${error.message}`);
    isSilent = false;
  };
  try {
    const reached = connect({ redisUrl, name: "bulkhead-start", onError }).then(disconnect);
    await Promise.race([reached, aborted(signal)]);
  } catch (cause) {
    if (!(cause instanceof Error) || signal.aborted) throw cause;
    throw new StartRefusal(`REDIS_URL: ${cause.message}`, { cause });
  }
}

/** Rejects with the signal's reason once it fires. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const give = (): void => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });

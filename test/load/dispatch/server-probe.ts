import type { Redis } from "ioredis";
import type { ServerProbe } from "./ops.ts";

/** More entries than any measure makes. */
const ENTRIES_MAX = 20_000;

type Entry = [id: number, at: number, us: number, command: string[]];

/** Looks into Redis's slow log, which is made to keep every command; `isOurs` picks by the words of the command. */
export function serverProbe(redis: Redis, isOurs: (command: string[]) => boolean): ServerProbe {
  return {
    async begin() {
      await redis.config("SET", "slowlog-max-len", ENTRIES_MAX);
      await redis.config("SET", "slowlog-log-slower-than", 0);
      await redis.slowlog("RESET");
    },
    async end() {
      const entries = (await redis.slowlog("GET", ENTRIES_MAX)) as Entry[];
      await redis.config("SET", "slowlog-log-slower-than", -1);
      return entries.filter(([, , , command]) => isOurs(command)).map(([, , us]) => us);
    },
  };
}

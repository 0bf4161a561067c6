import { readFileSync } from "node:fs";
import type { RedisClient } from "../../connect/connect.ts";
import type { Result } from "ioredis";

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhWorkersAnnounce(base: string, ...args: (string | number)[]): Result<0 | 1, Context>;
    bhWorkersList(base: string): Result<string[], Context>;
    bhWorkersWithdraw(base: string, workerId: string): Result<number, Context>;
  }
}

const STEPS = { bhWorkersAnnounce: "announce", bhWorkersList: "list", bhWorkersWithdraw: "withdraw" };

/** Gives a client the steps of `workers/lua`; the top of each file has its arguments and promise. */
export function defineWorkerSteps(redis: RedisClient): void {
  for (const [name, step] of Object.entries(STEPS)) {
    const lua = readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");
    redis.defineCommand(name, { lua, numberOfKeys: 1 });
  }
}

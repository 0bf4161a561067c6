import { readFileSync } from "node:fs";
import type { RedisClient } from "../connect/connect.ts";
import type { Result } from "ioredis";

// The commands that `defineCommand` adds to a client; the type of the reply is the promise of the Lua file.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhTake(keys: number, ...keysAndArgs: (string | number)[]): Result<[string | null, ...number[]], Context>;
  }
}

/** Gives a client the step of `lua/` as a command; the top of the file has its arguments and promise. */
export function defineStep(redis: RedisClient): void {
  redis.defineCommand("bhTake", { lua: readFileSync(new URL("./lua/take.lua", import.meta.url), "utf8") });
}

import { readFileSync } from "node:fs";
import type { RedisClient } from "../connect/connect.ts";
import type { Result } from "ioredis";

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhAppend(logKey: string, tailKey: string, ...args: (string | number)[]): Result<string, Context>;
    bhRead(
      logKey: string,
      tailKey: string,
      after: string,
      eventsMax: number,
      bytesMax: number,
    ): Result<[number, string[], number, string, string], Context>;
    bhErase(logKey: string, tailKey: string, lastId: string, ttlMs: number): Result<number, Context>;
    bhTenantPublish(
      logKey: string,
      floorKey: string,
      channel: string,
      event: string,
      ttlMs: number,
      eventsMax: number,
    ): Result<string, Context>;
    bhTenantRead(
      logKey: string,
      floorKey: string,
      after: string,
      eventsMax: number,
      ttlMs: number,
    ): Result<[string, string, [string, string][]], Context>;
  }
}

const read = (step: string): string => readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");

/** Gives a client the steps of `lua/` as commands; the top of each file has its arguments and promise. */
export function defineSteps(redis: RedisClient): void {
  redis.defineCommand("bhAppend", { lua: read("append"), numberOfKeys: 2 });
  redis.defineCommand("bhRead", { lua: read("read"), numberOfKeys: 2 });
  redis.defineCommand("bhErase", { lua: read("erase"), numberOfKeys: 2 });
  const begin = read("tenant-events-begin");
  redis.defineCommand("bhTenantPublish", { lua: begin + read("tenant-events-publish"), numberOfKeys: 2 });
  redis.defineCommand("bhTenantRead", { lua: begin + read("tenant-events-read"), numberOfKeys: 2 });
}

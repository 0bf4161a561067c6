import { readFileSync } from "node:fs";
import type { Redis, Result } from "ioredis";

const STEPS = ["admit", "renew", "release", "reap", "missing"] as const;

type Arguments = (string | number)[];

// What `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhAdmit(base: string, ...args: Arguments): Result<string[], Context>;
    bhRenew(base: string, ...args: Arguments): Result<number, Context>;
    bhRelease(base: string, ...args: Arguments): Result<[string[], string[]], Context>;
    bhReap(base: string, ...args: Arguments): Result<[string[], number], Context>;
    bhMissing(base: string, ...args: Arguments): Result<number[], Context>;
  }
}

const read = (step: string): string => readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");

/** Gives a client the steps of `lua/` as commands (`bhAdmit`, …); each file's top says what it takes and promises. */
export function defineSteps(redis: Redis): void {
  const slots = read("slots");
  for (const step of STEPS) {
    const name = `bh${step.charAt(0).toUpperCase()}${step.slice(1)}`;
    redis.defineCommand(name, { lua: `${slots}\n${read(step)}`, numberOfKeys: 1 });
  }
}

import { readFileSync } from "node:fs";
import type { Result } from "ioredis";
import type { RedisClient } from "../connect/connect.ts";

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhTakeServer(lease: string, self: string, leaseMs: number): Result<string, Context>;
    bhRenewServer(lease: string, self: string, leaseMs: number): Result<0 | 1, Context>;
    bhReleaseServer(lease: string, self: string): Result<0 | 1, Context>;
    bhSendMail(
      mailbox: string,
      size: string,
      message: string,
      bytesMax: number,
      waitMs: number,
      overhead: number,
      channel: string,
    ): Result<0 | 1, Context>;
    bhTakeMail(mailbox: string, size: string, bytes: number, overhead: number): Result<string[], Context>;
  }
}

const STEPS = {
  bhTakeServer: ["take-server", 1],
  bhRenewServer: ["renew-server", 1],
  bhReleaseServer: ["release-server", 1],
  bhSendMail: ["send-mail", 2],
  bhTakeMail: ["take-mail", 2],
} as const;

/** Gives a client the steps of routes to others' MCP servers; the top of each file has its arguments and promise. */
export function defineRouteSteps(redis: RedisClient): void {
  for (const [name, [step, numberOfKeys]] of Object.entries(STEPS)) {
    const lua = readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");
    redis.defineCommand(name, { lua, numberOfKeys });
  }
}

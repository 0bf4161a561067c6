import { readFileSync } from "node:fs";
import type { RedisClient } from "../connect/connect.ts";
import type { LoadReply } from "./read-load.ts";
import { addStandardJob } from "bullmq/dist/esm/scripts/addStandardJob-9.js";
import type { Result } from "ioredis";

/** Prepended to each step, in this order. A function that a step doesn't use costs it microseconds all the same. */
const SHARED = ["keys", "tenant", "status", "tools", "slots", "ready", "turns"];
/** Steps that do with less: they hand nothing out. */
const SHARED_OF: Record<string, string[]> = {
  reserve: ["keys", "tenant"],
  load: ["keys", "tenant"],
  "forget-tenant": ["keys"],
};
const STEPS = {
  bhReserve: "reserve",
  bhAdmit: "admit",
  bhDispatch: "dispatch",
  bhRelease: "release",
  bhSetLimits: "set-limits",
  bhRenew: "renew",
  bhReap: "reap",
  bhMissing: "missing",
  bhAnnounce: "announce",
  bhWithdraw: "withdraw",
  bhMeasure: "measure",
  bhLoad: "load",
  bhForgetTenant: "forget-tenant",
};

type Arguments = (string | number)[];
/** 1 when a bound ended the step before all was handed out. */
type More = 0 | 1;

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhReserve(
      base: string,
      ...args: Arguments
    ): Result<[accepted: number, refusedFor: string, waitMs: number, waiting: number], Context>;
    bhAdmit(base: string, ...args: Arguments): Result<More, Context>;
    bhDispatch(
      base: string,
      leaseMs: number,
    ): Result<[more: More, nextDueMs: number, workers: number], Context>;
    bhRelease(base: string, ...args: Arguments): Result<[more: More, idle: string[]], Context>;
    bhSetLimits(base: string, leaseMs: number, tenantId: string, limits: string): Result<More, Context>;
    bhRenew(base: string, ...args: Arguments): Result<number, Context>;
    bhReap(base: string, leaseMs: number): Result<[more: More, lapsed: number], Context>;
    bhMissing(base: string, ...args: Arguments): Result<number[], Context>;
    bhAnnounce(base: string, ...args: Arguments): Result<number, Context>;
    bhWithdraw(base: string, workerId: string): Result<number, Context>;
    bhMeasure(base: string, tenantsMax: number): Result<number[], Context>;
    bhLoad(base: string, tenantId: string, looksMax: number, toldMax: number): Result<LoadReply, Context>;
    bhForgetTenant(base: string, tenantId: string, extrasMax: number): Result<number, Context>;
  }
}

/** BullMQ's own step, as a function for `shared/ready.lua`. */
const ADD_STANDARD_JOB = `local function add_standard_job(KEYS, ARGV)\n${addStandardJob.content}\nend`;

const read = (file: string): string => readFileSync(new URL(`./lua/${file}.lua`, import.meta.url), "utf8");

/** Gives a client the steps of `lua/` as commands (`bhAdmit`, …); the top of each file has its arguments and promise. */
export function defineSteps(redis: RedisClient): void {
  const shared = new Map(SHARED.map((file) => [file, read(`shared/${file}`)]));
  shared.set("ready", `${ADD_STANDARD_JOB}\n${shared.get("ready")}`);
  for (const [name, step] of Object.entries(STEPS)) {
    const below = (SHARED_OF[step] ?? SHARED).map((file) => shared.get(file));
    redis.defineCommand(name, { lua: [...below, read(step)].join("\n"), numberOfKeys: 1 });
  }
}

import {
  PROCESS_BEAT_MS_MAX,
  PROCESS_KEPT_MS,
  PROCESS_WORDS_MAX,
  PROCESSES_KNOWN_MAX,
  PROCESSES_MAX,
  type ProcessBoard,
  type ProcessEnd,
  type ProcessFacts,
  type ProcessKey,
  type ShownProcess,
  type ToldWord,
} from "@bulkhead/core";
import type { Result } from "ioredis";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { reaching } from "../connect/reaching.ts";
import type { StreamRedis } from "../stream/stream-redis.ts";

const reached = reaching("the commands in the background");

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhOpenProcess(...keysAndArguments: (string | number)[]): Result<0 | 1, Context>;
    bhExchangeWords(...keysAndArguments: (string | number)[]): Result<string[], Context>;
  }
}

const script = (step: string): string => readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");

// The tenant's hash tag keeps its processes on one node of a cluster.
const runningOf = (tenantId: string): string => `bh:shell:{${tenantId}}`;
const knownOf = (tenantId: string): string => `${runningOf(tenantId)}:known`;
const keyOf = ({ tenantId, processId }: ProcessKey): string => `${runningOf(tenantId)}:${processId}`;
const outputOf = (key: ProcessKey): string => `${keyOf(key)}:out`;
const wordsOf = (key: ProcessKey): string => `${keyOf(key)}:in`;
/** How the JSON of the word with this id begins. */
const beginOf = (id: string): string => JSON.stringify({ id }).slice(0, -1);

/** Keeps the board on the stream's connection. */
export function openProcessBoard({ commands }: Pick<StreamRedis, "commands">): ProcessBoard {
  commands.defineCommand("bhOpenProcess", { lua: script("open-process"), numberOfKeys: 3 });
  commands.defineCommand("bhExchangeWords", { lua: script("exchange-words"), numberOfKeys: 5 });
  const find = async (key: ProcessKey): Promise<ShownProcess | null> => {
    const [facts, end] = await reached(commands.hmget(keyOf(key), "facts", "end"));
    if (facts === null || facts === undefined) return null;
    const [[seconds = "0"], until, outputBytes] = await Promise.all([
      reached(commands.time()),
      reached(commands.zscore(runningOf(key.tenantId), key.processId)),
      reached(commands.strlen(outputOf(key))),
    ]);
    const isHeard = until !== null && Number(until) >= Number(seconds) * 1_000;
    return {
      ...(JSON.parse(facts) as ProcessFacts),
      status: typeof end === "string" ? "ended" : isHeard ? "running" : "lost",
      end: typeof end === "string" ? (JSON.parse(end) as ProcessEnd) : null,
      outputBytes,
    };
  };
  return {
    async open(facts) {
      const { tenantId, processId } = facts;
      const keys = [keyOf(facts), runningOf(tenantId), knownOf(tenantId)];
      const bounds = [PROCESSES_MAX, PROCESSES_KNOWN_MAX, PROCESS_BEAT_MS_MAX, PROCESS_KEPT_MS];
      const opened = commands.bhOpenProcess(...keys, processId, JSON.stringify(facts), ...bounds);
      return (await reached(opened)) === 1 ? "opened" : "full";
    },
    async exchange(key, { output, from, heard }) {
      const { tenantId, processId } = key;
      const keys = [keyOf(key), runningOf(tenantId), knownOf(tenantId), outputOf(key), wordsOf(key)];
      const times = [PROCESS_BEAT_MS_MAX, PROCESS_KEPT_MS];
      const begin = heard === null ? "" : beginOf(heard);
      const told = commands.bhExchangeWords(...keys, processId, output, from, begin, ...times);
      return (await reached(told)).map((word) => JSON.parse(word) as ToldWord);
    },
    async end(key, end) {
      await reached(
        commands
          .multi()
          .hset(keyOf(key), "end", JSON.stringify(end))
          .pexpire(keyOf(key), PROCESS_KEPT_MS)
          .zrem(runningOf(key.tenantId), key.processId)
          .del(wordsOf(key))
          .exec(),
      );
    },
    find,
    async list(tenantId) {
      const ids = await reached(commands.zrevrange(knownOf(tenantId), 0, -1));
      const found = await Promise.all(ids.map((processId) => find({ tenantId, processId })));
      return found.filter((one) => one !== null);
    },
    read: (key, from, to) => reached(commands.getrangeBuffer(outputOf(key), from, Math.max(from, to - 1))),
    async tell(key, word) {
      if ((await reached(commands.llen(wordsOf(key)))) >= PROCESS_WORDS_MAX) return false;
      const text = JSON.stringify({ id: randomUUID(), ...word } satisfies ToldWord);
      await reached(commands.multi().rpush(wordsOf(key), text).pexpire(wordsOf(key), PROCESS_KEPT_MS).exec());
      return true;
    },
  };
}

import {
  EXECUTION_TIMEOUT_MS_MAX,
  MCP_CALLS_MAX,
  MCP_KEY_SESSIONS_MAX,
  MCP_SESSION_IDLE_MS,
  MCP_SESSIONS_MAX,
  type McpSessionKey,
  type McpSessions,
} from "@bulkhead/core";
import type { Result } from "ioredis";
import { readFileSync } from "node:fs";
import { reaching } from "../connect/reaching.ts";
import type { StreamRedis } from "../stream/stream-redis.ts";

const reached = reaching("the sessions of MCP");

// The commands that `defineCommand` adds to a client; the types of the replies are the promises of the Lua files.
declare module "ioredis" {
  interface RedisCommander<Context> {
    bhOpenMcpSession(session: string, all: string, ...args: (string | number)[]): Result<number, Context>;
    bhTouchMcpSession(
      session: string,
      all: string,
      ...args: (string | number)[]
    ): Result<[string, number] | null, Context>;
  }
}

const read = (step: string): string => readFileSync(new URL(`./lua/${step}.lua`, import.meta.url), "utf8");

// The tenant's hash tag keeps its sessions on one node of a cluster.
const allOf = (tenantId: string): string => `bh:mcp:{${tenantId}}`;
const keyOf = ({ tenantId, sessionId }: McpSessionKey): string => `${allOf(tenantId)}:${sessionId}`;
const ofKey = ({ keyId, sessionId }: McpSessionKey): string => `${keyId} ${sessionId}`;
const fieldOf = (requestId: string): string => `c:${requestId}`;

/** A call that was cut off is remembered for as long as its execution may take. */
const CALL_MS_MAX = EXECUTION_TIMEOUT_MS_MAX;

/** Keeps the sessions on the stream's connection. All of it rejects with `service.unavailable` where Redis is away. */
export function openMcpSessions({ commands }: Pick<StreamRedis, "commands">): McpSessions {
  commands.defineCommand("bhOpenMcpSession", { lua: read("open-session"), numberOfKeys: 2 });
  commands.defineCommand("bhTouchMcpSession", { lua: read("touch-session"), numberOfKeys: 2 });
  return {
    open: async (key) => {
      const said = [ofKey(key), key.keyId, MCP_SESSION_IDLE_MS, MCP_SESSIONS_MAX, MCP_KEY_SESSIONS_MAX];
      const opened = await reached(commands.bhOpenMcpSession(keyOf(key), allOf(key.tenantId), ...said));
      if (opened === 1) return "opened";
      return opened === 0 ? "too_many_of_tenant" : "too_many_of_key";
    },
    touch: async (key, call) => {
      const { tenantId, keyId } = key;
      const said = [call?.requestId ?? "", call?.executionId ?? "", CALL_MS_MAX, MCP_CALLS_MAX];
      const args = [ofKey(key), keyId, MCP_SESSION_IDLE_MS, ...said];
      const touched = await reached(commands.bhTouchMcpSession(keyOf(key), allOf(tenantId), ...args));
      if (touched === null) return null;
      const [level, admitted] = touched;
      return { logLevel: level === "" ? null : level, admitted: admitted === 1 };
    },
    setLogLevel: async (key, level) => {
      // A field of a session that is gone would make one without an end.
      if ((await reached(commands.exists(keyOf(key)))) === 1)
        await reached(
          commands.multi().hset(keyOf(key), "level", level).pexpire(keyOf(key), MCP_SESSION_IDLE_MS).exec(),
        );
    },
    findCall: async (key, requestId) => {
      const noted = await reached(commands.hget(keyOf(key), fieldOf(requestId)));
      return noted?.split(" ")[1] ?? null;
    },
    endCall: async (key, requestId) => (await reached(commands.hdel(keyOf(key), fieldOf(requestId)))) === 1,
    close: async (key) => {
      if ((await reached(commands.hget(keyOf(key), "keyId"))) !== key.keyId) return false;
      await reached(commands.unlink(keyOf(key)));
      await reached(commands.zrem(allOf(key.tenantId), ofKey(key)));
      return true;
    },
  };
}

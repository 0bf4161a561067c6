import type { Execution, ExecutionEvent, ExecutionKey } from "@bulkhead/core";
import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { waitAgain } from "./wait-for-call.ts";

const running = { executionId: "exe_1", status: "running", context: {}, error: null } as unknown as Execution;
const lineOf = (n: number) => ({ id: `1-${n}`, type: "execution.log", level: "info", text: `line ${n}` });

test("nothing is told, and no more is read, while the client has not taken what it was told", async () => {
  let pulled = 0;
  async function* follow(_key: ExecutionKey): AsyncGenerator<ExecutionEvent> {
    for (let n = 1; n <= 10; n += 1) {
      pulled = n;
      yield lineOf(n) as unknown as ExecutionEvent;
    }
  }
  const told: unknown[] = [];
  let [waiting, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const exchange = {
    left: new AbortController().signal,
    session: null,
    place: null,
    logLevel: "info",
    room: () => {
      waiting.resolve();
      return taken.promise;
    },
  };
  const asker = { principal: { tenantId: "ten_1", role: "agent", agentId: null }, exchange };
  const deps = {
    stream: { follow },
    executions: { find: async () => running },
    findExecution: async () => running,
  };
  const ctx = { mcpReq: { notify: async ({ params }: { params: object }) => void told.push(params) } };
  const answered = waitAgain(
    deps as unknown as McpDeps,
    asker as unknown as Asker,
    "exe_1",
    ctx as unknown as ServerContext,
  );
  for (let n = 1; n <= 10; n += 1) {
    await waiting.promise;
    expect([told.length, pulled]).toEqual([n - 1, Math.min(n + 1, 10)]);
    const { resolve } = taken;
    [waiting, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    resolve();
  }
  expect((await answered)._meta?.["bulkhead/status"]).toBe("running");
  expect(told).toHaveLength(10);
});

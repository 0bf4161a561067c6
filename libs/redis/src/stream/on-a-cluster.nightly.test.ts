import type { Execution, ExecutionEvent, StreamGap } from "@bulkhead/core";
import { leakCheck, startRedisCluster, until, type TestRedisCluster } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEventStream } from "./event-stream.ts";
import { aLog, anExecution } from "./fixtures/stream-examples.ts";
import { openSignalBus } from "./signal-bus.ts";
import { openStreamRedis, type StreamRedis } from "./stream-redis.ts";
import { openTenantEvents } from "./tenant-events.ts";

leakCheck();

let cluster: TestRedisCluster;
let writing: StreamRedis;
let reading: StreamRedis;
const onError = (): void => undefined;
const open = (): Promise<StreamRedis> => openStreamRedis({ redisUrl: cluster.url, onError });
beforeAll(async () => {
  cluster = await startRedisCluster();
  [writing, reading] = [await open(), await open()];
});
afterAll(async () => {
  await writing.close();
  await reading.close();
  await cluster.close();
});

const EVENTS = 5;
const ids = Array.from({ length: EVENTS }, (_, n) => `1-${n + 2}`);

test("the logs of many executions are written at once, heard live and read again, wherever their keys are", async () => {
  const executions = Array.from({ length: 30 }, () => anExecution());
  const findExecution = async ({ executionId }: { executionId: string }): Promise<Execution | null> =>
    executions.find((one) => one.executionId === executionId) ?? null;
  const logs = { readPiece: async (): Promise<null> => null };
  const writer = openEventStream({ redis: writing, findExecution, logs, report: onError, checkMs: 60_000 });
  const reader = openEventStream({ redis: reading, findExecution, logs, report: onError, checkMs: 60_000 });
  const stopping = new AbortController();
  try {
    const follow = (key: Execution, after: string | null) => {
      const said: (ExecutionEvent | StreamGap)[] = [];
      void (async () => {
        for await (const event of reader.follow(key, after, stopping.signal)) said.push(event);
      })();
      return said;
    };
    const live = executions.map((key) => follow(key, null));
    await until(() => live.every((said) => said.length === 1), {
      what: "all have been told that theirs is queued",
    });
    const taken = await Promise.all(
      executions.flatMap((key) => ids.map((id) => writer.append(key.tenantId, [aLog(key, id)]))),
    );
    expect(taken).not.toContain(false);
    await until(() => live.every((said) => said.length === EVENTS + 1), { what: "all is heard" });
    const again = executions.map((key) => follow(key, "1-3"));
    await until(() => again.every((said) => said.length === EVENTS - 2), { what: "all is read again" });
    expect(again.map((said) => said.map((event) => "id" in event && event.id))).toEqual(
      executions.map(() => ids.slice(2)),
    );
    const sizes = await Promise.all(cluster.masters.map((node) => node.ask("DBSIZE")));
    expect(sizes.every((size) => size !== ":0\r\n")).toBe(true);
  } finally {
    stopping.abort();
    await writer.close();
    await reader.close();
  }
});

test("a tenant's events are told and can be resumed", async () => {
  const events = openTenantEvents({ redis: writing, report: onError, onDropped: () => undefined });
  const stopping = new AbortController();
  try {
    const after = await events.position("ten_a");
    await events.publish("ten_a", {
      type: "tool.quarantined",
      data: { toolId: "tool_1", toolName: "a", toolVersion: 1, reason: "r", executionId: "exe_1" },
      agentId: "one",
    });
    const next = await events.follow("ten_a", after, stopping.signal)[Symbol.asyncIterator]().next();
    expect(next.value).toMatchObject({ type: "tool.quarantined", agentId: "one" });
  } finally {
    stopping.abort();
    events.close();
  }
});

test("a signal that no node could take is said again when the master is back", async () => {
  const changes = { markChange: () => Promise.resolve() };
  const [here, there] = [
    await openSignalBus({ redis: writing, changes }),
    await openSignalBus({ redis: reading, changes }),
  ];
  const heard: unknown[] = [];
  there.subscribe((signal) => heard.push(signal));
  const signal = { type: "forget", kind: "tool", id: "tool_0123456789abcdef" } as const;
  try {
    await cluster.kill();
    await expect(here.publish({ ...signal, tenantId: "ten_a" })).rejects.toMatchObject({
      code: "service.unavailable",
    });
    await cluster.restartEmpty();
    await until(() => heard.length > 0, { what: "it is heard", timeoutMs: 20_000 });
    expect(heard).toEqual([signal]);
  } finally {
    here.close();
    there.close();
  }
});

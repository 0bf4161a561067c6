import type { ClaimedExecution, Execution, ExecutionStore, LiveRunNews, RunNews } from "@bulkhead/core";
import { expect, test } from "vitest";
import { tellRuns } from "./tell-runs.ts";

const run = {
  tenantId: "ten_a",
  executionId: "exe_a",
  toolId: "tool_a",
  toolName: "greet",
  toolVersion: 3,
  attempt: 1,
  source: "mcp",
  requestedBy: "key_a",
  context: { agentId: "agent_a", userId: "a person" },
} as const;
const told = {
  executionId: "exe_a",
  toolId: "tool_a",
  toolName: "greet",
  toolVersion: 3,
  attempt: 1,
  source: "mcp",
  keyId: "key_a",
  agentId: "agent_a",
};
const execution = {
  ...run,
  arguments: { secret: "in" },
  result: "out",
  status: "failed",
  error: { code: "tool.threw", message: "secret text" },
  createdAt: new Date(1_000),
  startedAt: new Date(2_000),
  finishedAt: new Date(4_500),
  parentId: null,
} as unknown as Execution;
const claimed = { ...run, argumentsJson: "{}", byAgent: true } as unknown as ClaimedExecution;

const started = (at: number, data: object = told) => ({
  type: "execution.started",
  at: new Date(at).toISOString(),
  data,
});
const ended = {
  type: "execution.ended",
  at: new Date(4_500).toISOString(),
  data: { ...told, status: "failed", code: "tool.threw", durationMs: 3_500 },
};

type Store = Partial<ExecutionStore>;
const key = { tenantId: "ten_a", executionId: "exe_a", attempt: 1 };
const ending = {} as Parameters<ExecutionStore["finish"]>[1];
const nested = {
  ...run,
  executionId: "exe_b",
  parent: key,
  createdAt: new Date(3_000),
  requestedBy: undefined,
} as unknown as Parameters<ExecutionStore["beginNested"]>[0];

test.each<[string, Store, (store: ExecutionStore) => Promise<unknown>, object[]]>([
  ["a claim", { claim: async () => claimed }, (store) => store.claim(key, "wrk", 1), [started(9_000)]],
  ["a claim that others have", { claim: async () => null }, (store) => store.claim(key, "wrk", 1), []],
  ["an end", { finish: async () => execution }, (store) => store.finish(key, ending, "1-2", null), [ended]],
  [
    "an end with its claim",
    { finish: async () => execution },
    (store) => store.finish(key, ending, "1-2", { workerId: "wrk", ranMs: 5 }),
    [started(2_000), ended],
  ],
  ["an end that others had", { finish: async () => null }, (store) => store.finish(key, ending, "1-2"), []],
  [
    "an end from outside",
    { endFromOutside: async () => execution },
    (store) => store.endFromOutside(key, ending),
    [ended],
  ],
  [
    "a nested call",
    { beginNested: async () => "begun" as const },
    (store) => store.beginNested(nested, "wrk", 1),
    [started(3_000, { ...told, executionId: "exe_b", parentId: "exe_a", source: "tool", keyId: undefined })],
  ],
  [
    "a nested call that did not begin",
    { beginNested: async () => "caller_gone" as const },
    (store) => store.beginNested(nested, "wrk", 1),
    [],
  ],
])("what is told of %s, and nothing of payloads", async (_what, answers, call, expected) => {
  const said: RunNews[] = [];
  const runs: Pick<LiveRunNews, "tell"> = {
    tell: (tenantId, make) => {
      expect(tenantId).toBe("ten_a");
      said.push(make());
    },
  };
  const store = tellRuns(answers as ExecutionStore, runs, () => new Date(9_000));
  expect(await call(store)).toEqual(await call(answers as ExecutionStore));
  expect(said).toEqual(expected);
  expect(JSON.stringify(said)).not.toMatch(/secret|person|"out"/);
});

test("nothing is made where nobody follows", async () => {
  const answers = { finish: async () => ({}) as Execution };
  const store = tellRuns(answers as unknown as ExecutionStore, { tell: () => undefined }, () => new Date());
  expect(await store.finish(key, ending, "1-2", null)).toEqual({});
});

import { isNightly, queryRows, sharedProduct } from "@bulkhead/testing";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { meta, newAgentTenant } from "../support/agents.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { shutGate } from "../support/gate.ts";
import { connectMcp } from "../support/mcp-client.ts";

const product = await sharedProduct();
let owner: Client;
let other: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  other = (await newTenant(product)).owner;
  await createTool(other, "still_here", "return 'served';");
});

const ROWS: {
  name: string;
  code: string;
  limits?: Record<string, number>;
  permissions?: string[];
  status: string;
  error: string;
}[] = [
  {
    name: "throws",
    code: "const x = 1;\nthrow new TypeError('bad ' + x);",
    status: "failed",
    error: "tool.threw",
  },
  {
    name: "spins",
    code: "for (;;) {}",
    limits: { cpuMs: 300 },
    status: "timed_out",
    error: "tool.cpu_limit",
  },
  {
    name: "backtracks",
    code: "return /^(a+)+$/.test('a'.repeat(40) + '!');",
    limits: { cpuMs: 300 },
    status: "timed_out",
    error: "tool.cpu_limit",
  },
  {
    name: "allocates",
    code: "const all = []; for (;;) all.push(new Array(1000).fill(1.1));",
    status: "failed",
    error: "tool.memory_limit",
  },
  {
    name: "doubles",
    code: "let s = 'x'; const all = []; for (;;) { s = 'y' + s + s; all.push(s.split('')); }",
    status: "failed",
    error: "tool.memory_limit",
  },
  {
    name: "never_settles",
    code: "await new Promise(() => {});",
    limits: { wallMs: 300 },
    status: "timed_out",
    error: "tool.wall_limit",
  },
  {
    name: "returns_a_cycle",
    code: "const a = {}; a.a = a; return a;",
    status: "failed",
    error: "tool.output_invalid",
  },
  { name: "returns_a_bigint", code: "return 1n;", status: "failed", error: "tool.output_invalid" },
  {
    name: "returns_a_deep_value",
    code: "let a = []; for (let i = 0; i < 60_000; i += 1) a = [a]; return a;",
    status: "failed",
    error: "tool.output_invalid",
  },
  {
    name: "returns_a_value_101_levels_deep",
    code: "let a = []; for (let i = 0; i < 100; i += 1) a = [a]; return a;",
    status: "failed",
    error: "tool.output_invalid",
  },
  {
    name: "returns_50_mb",
    code: "return 'x'.repeat(50_000_000);",
    status: "failed",
    error: "tool.result_too_large",
  },
  {
    name: "returns_a_rope",
    code: "return ''.padStart(2 ** 29 - 24);",
    status: "failed",
    error: "tool.result_too_large",
  },
  {
    name: "asks_the_inside",
    code: "await fetch('https://10.0.0.1/');",
    permissions: ["network"],
    status: "failed",
    error: "tool.egress_denied",
  },
  {
    name: "asks_without_permission",
    code: "return fetch('https://example.com');",
    status: "failed",
    error: "tool.threw",
  },
];

/** Of those that end alike, by day one. */
const AT_NIGHT = ["backtracks", "doubles", "returns_a_bigint", "returns_a_deep_value", "returns_a_rope"];

test.each(ROWS.filter(({ name }) => isNightly || !AT_NIGHT.includes(name)))(
  "[P2, P3] a tool that $name ends as $error, and the next call is served",
  async ({ name, code, limits, permissions, status, error }) => {
    product.showLogsIfTestFails();
    await createTool(owner, name, code, {
      ...(limits ? { limits } : {}),
      ...(permissions ? { permissions } : {}),
    });
    const { status: http, body } = await owner.post(`/api/v1/custom-tools/${name}/execute`);
    expect(http).toBe(200);
    expect(body.data).toMatchObject({ status, isError: true, result: null, error: { code: error } });
    expect(body.data.error.message).not.toMatch(/node_modules|\/libs\/|\/apps\//);
    expect((await other.post("/api/v1/custom-tools/still_here/execute")).body.data.result).toBe("served");
  },
);

test("a thrown error names the tool's own line and column", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/throws/execute");
  expect(body.data.error.message).toBe("TypeError: bad 1 (tool.js:2:7)");
});

test("an emitted value that nests too deep is left out with a warning, and the run goes on", async () => {
  await createTool(
    owner,
    "deep",
    "let a = []; for (let i = 0; i < 5_000; i += 1) a = [a]; emit(a); emit(1); return 2;",
  );
  const events = await (await owner.stream("/api/v1/custom-tools/deep/execute", { mode: "stream" })).rest();
  expect(events.map(({ event }) => event).slice(2)).toEqual([
    "execution.log",
    "execution.progress",
    "execution.succeeded",
  ]);
  expect((await owner.get("/api/v1/executions")).status).toBe(200);
});

test("logs beyond the limit are cut off with one warning, and the run goes on", async () => {
  await createTool(
    owner,
    "chatty",
    "for (let i = 0; i < 2000; i += 1) console.log('x'.repeat(100)); return 'done';",
    {
      limits: { logBytes: 1_000 },
    },
  );
  const events = await (await owner.stream("/api/v1/custom-tools/chatty/execute", { mode: "stream" })).rest();
  const logs = events.filter(({ event }) => event === "execution.log");
  expect(logs.length).toBeLessThan(20);
  expect(logs.at(-1)?.data["level"]).toBe("warn");
  expect(events.at(-1)?.data["execution"]).toMatchObject({ status: "succeeded", result: "done" });
});

test("the deadline counts the waiting too", async () => {
  await createTool(owner, "sleeps", "await new Promise((r) => setTimeout(r, 10_000));");
  const { body } = await owner.post("/api/v1/custom-tools/sleeps/execute", { timeoutMs: 400 });
  expect(body.data).toMatchObject({ status: "timed_out", error: { code: "execution.deadline" } });
});

test("[R19] a cancelled execution ends as cancelled, at once and for good", async () => {
  const reader = await owner.stream("/api/v1/custom-tools/sleeps/execute", { mode: "stream" });
  const first = await reader.next();
  const id = String(first?.data["executionId"]);
  await expect
    .poll(async () => (await owner.get(`/api/v1/executions/${id}`)).body.data.status, { timeout: 20_000 })
    .toBe("running");
  const cancelled = await owner.post(`/api/v1/executions/${id}/cancel`);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body.data).toMatchObject({ status: "cancelled", error: { code: "execution.cancelled" } });
  const rest = await reader.rest();
  expect(rest.at(-1)?.event).toBe("execution.cancelled");
  expect((await owner.post(`/api/v1/executions/${id}/cancel`)).status).toBe(409);
});

test.runIf(isNightly)(
  "a run that is ended from outside shows what it used and that a worker ended it",
  async () => {
    await createTool(owner, "burns", "for (;;);", { limits: { cpuMs: 20_000 } });
    // Most of it is left for the run, also where a busy machine takes its time to begin it.
    const { body } = await owner.post("/api/v1/custom-tools/burns/execute", { timeoutMs: 5_000 });
    expect(body.data).toMatchObject({ status: "timed_out", error: { code: "execution.deadline" } });
    const { dwell, run } = body.data.metadata.timings;
    expect(run).toBeGreaterThan(dwell);
    const read = async () => (await owner.get(`/api/v1/executions/${body.data.executionId}`)).body.data;
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ endedBy: "worker" });
    const { usage, timings } = await read();
    expect(usage.cpuMs).toBeGreaterThan(50);
    expect(timings).toMatchObject({
      dwell: expect.any(Number),
      claim: expect.any(Number),
      run: expect.any(Number),
    });
  },
);

const CALLS = isNightly ? 20 : 8;

test("[L6] a tenant's executions never exceed its concurrency, and none is lost", async () => {
  const limits = { maxConcurrentExecutions: 2, requestsPerSecond: 1_000 };
  const { owner: narrow } = await newTenant(product, limits);
  const code = "await fetch(args.url); await new Promise((r) => setTimeout(r, 50)); return 1;";
  await createTool(narrow, "brief", code, { permissions: ["network"] });
  const gate = await shutGate();
  const call = { arguments: { url: gate.url } };
  const calls = Array.from({ length: CALLS }, () => narrow.post("/api/v1/custom-tools/brief/execute", call));
  let most = 0;
  const progress = { done: false };
  const finished = Promise.all(calls)
    .then((answers) => answers.map(({ body }) => body.data.status))
    .finally(() => (progress.done = true));
  while (!progress.done) {
    const { body } = await narrow.get("/api/v1/executions?status=running");
    most = Math.max(most, body.data.executions.length);
    // Nothing ends before something was seen to run.
    if (most > 0) gate.open();
    await delay(20);
  }
  expect(await finished).toEqual(Array.from({ length: CALLS }, () => "succeeded"));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test("a call that says no time has that of its tool, by every door", async () => {
  const { owner: caller } = await newAgentTenant(product);
  const [slow, limits] = [{ name: "slow", arguments: {} }, { wallMs: 90_000 }];
  const { id } = await createTool(caller, "slow", "return 1;", { limits });
  const mcp = await connectMcp(product, caller, "auto");
  const draft = {
    name: "draft",
    description: "d",
    parameters: { type: "object" },
    code: "return 1;",
    limits,
  };
  const planned = await caller.post("/api/v1/schedules", { tool: id, everyMs: 86_400_000 });
  const answers = await Promise.all([
    caller.post("/api/v1/custom-tools/slow/execute", { delayMs: 1 }),
    meta(caller, "call_tool", slow),
    caller.post("/api/v1/custom-tools/test", { ...draft, testArguments: {} }),
    caller.post(`/api/v1/schedules/${planned.body.data.id}/run`, {}),
    caller.post("/api/v1/custom-tools/nodes/execute", { arguments: { action: "list" } }),
  ]);
  const batch = await caller.post("/api/v1/executions/batch", { executions: [{ tool: "slow" }] });
  const { _meta: said } = await mcp.callTool(slow);
  const ids = [
    ...answers.map(({ body }) => body.data.executionId),
    batch.body.data.executions[0].executionId,
    said?.["bulkhead/executionId"],
  ];
  const rows = await queryRows(
    product.databaseUrl,
    `SELECT id, round(extract(epoch FROM deadline_at - created_at) * 1000)::int AS ms
     FROM executions WHERE id = ANY ($1)`,
    [ids],
  );
  const timeOf = (executionId: unknown) => rows.find((row) => row["id"] === executionId)?.["ms"];
  const [delayed, ...others] = ids.map(timeOf);
  expect([delayed, planned.body.data.timeoutMs]).toEqual([90_001, 90_000]);
  expect(others).toEqual([90_000, 90_000, 90_000, 130_000, 90_000, 90_000]);
});

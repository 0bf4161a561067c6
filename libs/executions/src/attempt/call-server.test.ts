import {
  RUN_LIMITS_DEFAULT,
  type ExecutionEvent,
  type Json,
  type McpAnswer,
  type McpBridge,
  type McpCallHooks,
  type McpToolCall,
  type RunnableTool,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { fakeScrubbers, toNeedle } from "../fixtures/fake-scrubbers.ts";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { AttemptLog } from "./attempt-log.ts";
import { NO_USAGE } from "./judge.ts";
import { runTool, type RunToolDeps } from "./run-tool.ts";
import { RunningAttempts } from "./running-attempts.ts";

const TOOL: RunnableTool = {
  code: "// never runs",
  permissions: ["network"],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: ["mcp.example.com"],
  services: [],
  outputSchema: null,
  mcp: { server: "files", tool: "read", pin: "p1" },
};
const TIMES = { connectMs: 1.234, callMs: 5.678 };
const answered = (result: object): McpAnswer => ({ ok: true, resultJson: JSON.stringify(result), ...TIMES });
const refused = (code: Extract<McpAnswer, { ok: false }>["code"], message = "No."): McpAnswer => ({
  ok: false,
  code,
  message,
  ...TIMES,
});
const text = (said: string) => ({ type: "text", text: said });

type Call = McpBridge["call"];
const sending =
  (answer: McpAnswer): Call =>
  async (_call, hooks) =>
    (await hooks.onSend()) ? answer : refused("aborted");

interface Case {
  tool?: Partial<RunnableTool>;
  argumentsJson?: string;
  more?: Partial<RunToolDeps>;
  running?: RunningAttempts;
}

async function runWith(call: Call, { tool = {}, argumentsJson = "{}", more = {}, running }: Case = {}) {
  const events: ExecutionEvent[] = [];
  const marked: string[] = [];
  const calls: McpToolCall[] = [];
  const deps = {
    executions: {
      markEffect: ({ executionId }: { executionId: string }) => {
        marked.push(executionId);
        return Promise.resolve(true);
      },
    },
    mcp: {
      call: (asked: McpToolCall, hooks: McpCallHooks, signal: AbortSignal) => {
        calls.push(asked);
        return call(asked, hooks, signal);
      },
    },
    sandbox: { run: () => Promise.reject(new Error("a server's tool runs in no sandbox")) },
    egress: { open: () => expect.unreachable("a server's tool has no way out of its own") },
    stream: { append: (_: string, more_: ExecutionEvent[]) => Promise.resolve(events.push(...more_) > 0) },
    openCalls: () => ({ settled: () => Promise.resolve(), asked: NO_USAGE }),
    running: running ?? new RunningAttempts(),
    clock: () => new Date(),
    report: () => undefined,
    leaseMs: 60_000,
    schemas: { checkResult: () => Promise.resolve([]) },
    scrubbers: fakeScrubbers(),
    scrubRules: { open: () => Promise.resolve({ needles: [toNeedle("s3cret")], patterns: [] }) },
    tally: () => undefined,
    ...more,
  } as unknown as RunToolDeps;
  const held = { ...heldAttempt(), argumentsJson, leaseFrom: performance.now() };
  const log = new AttemptLog(deps, held);
  const { ran } = await runTool(deps, held, { ...TOOL, ...tool }, log);
  // So that what was said goes out.
  log.endEventId();
  log.say({ type: "execution.log", level: "info", text: "the end" });
  const told = events.flatMap((event) =>
    event.type === "execution.log" ? [event.text] : event.type === "execution.progress" ? [event.value] : [],
  );
  return { ran, marked, calls, told: told.slice(0, -1), types: events.map(({ type }) => type) };
}

const endOf = async (call: Call, asked: Case = {}) => {
  const { ran } = await runWith(call, asked);
  if (!("ending" in ran)) return ran.stopped;
  const { status, result, error } = ran.ending;
  return error ? { status, ...error } : { status, result };
};

test("the call is on record as an effect before it is sent, and says when it began", async () => {
  const { calls, marked, types, ran } = await runWith(sending(answered({ content: [text("hello")] })));
  expect(calls).toMatchObject([
    { tenantId: "ten_a", executionId: "exe_1", server: "files", tool: "read", pin: "p1", timeoutMs: 30_000 },
  ]);
  expect({ marked, first: types[0] }).toEqual({ marked: ["exe_1"], first: "execution.started" });
  expect(ran).toMatchObject({ ending: { endedBy: "guest", usage: { cpuMs: 0 } }, times: TIMES });
});

describe("the result", () => {
  const SCHEMA = { tool: { outputSchema: { type: "object" } } };
  test.each<[string, object, Case, Json]>([
    ["texts are one text", { content: [text("a"), text("b")] }, {}, "a\nb"],
    ["a text that is JSON stays a text", { content: [text('{"a":1}')] }, {}, '{"a":1}'],
    ["nothing is null", { content: [] }, {}, null],
    [
      "with an output schema it is the data",
      { content: [text("1")], structuredContent: { n: 1 } },
      SCHEMA,
      { n: 1 },
    ],
    ["without one it is what is shown", { content: [text("1")], structuredContent: { n: 1 } }, {}, "1"],
    [
      "an image is content",
      { content: [text("see"), { type: "image", data: "aGk=", mimeType: "image/png" }] },
      {},
      {
        $bulkhead: "content",
        content: [text("see"), { type: "image", data: "aGk=", mimeType: "image/png" }],
      },
    ],
    ["secrets are covered", { content: [text("it is s3cret")] }, {}, "it is [REDACTED]"],
  ])("%s", async (_what, result, asked, expected) => {
    expect(await endOf(sending(answered(result)), asked)).toEqual({ status: "succeeded", result: expected });
  });

  test("over the tool's limit is none", async () => {
    const limits = { ...RUN_LIMITS_DEFAULT, resultBytes: 64 };
    const call = sending(answered({ content: [text("x".repeat(100))] }));
    expect(await endOf(call, { tool: { limits } })).toMatchObject({ code: "tool.result_too_large" });
  });
});

describe("an end without a result", () => {
  test.each<[McpAnswer, object]>([
    [refused("unreachable"), { status: "failed", code: "mcp.unreachable", message: "No." }],
    [
      refused("connection_lost", "Lost s3cret."),
      { code: "mcp.connection_lost", message: "Lost [REDACTED]." },
    ],
    [refused("tool_changed"), { code: "mcp.tool_changed" }],
    [refused("protocol_error", "x".repeat(5_000)), { message: expect.stringMatching(/^x{1900} … \(cut\)$/) }],
    [
      refused("timeout"),
      { status: "timed_out", code: "tool.wall_limit", message: expect.stringContaining("30000 ms") },
    ],
    [refused("too_large"), { status: "failed", code: "tool.result_too_large" }],
    [refused("aborted"), { code: "mcp.connection_lost" }],
    [
      answered({ isError: true, content: [text("no such file")] }),
      { code: "tool.threw", message: "no such file" },
    ],
    [
      answered({ isError: true, content: [] }),
      { code: "tool.threw", message: expect.stringContaining("did not say") },
    ],
    [{ ok: true, resultJson: "[]", ...TIMES }, { code: "mcp.protocol_error" }],
  ])("%j", async (answer, expected) => {
    expect(await endOf(sending(answer))).toMatchObject(expected);
  });

  test("of a call whose effect could not be recorded: nothing was sent", async () => {
    const executions = { markEffect: () => Promise.reject(new Error("away")) };
    const more = { executions } as unknown as Partial<RunToolDeps>;
    expect(await endOf(sending(answered({ content: [] })), { more })).toMatchObject({
      code: "mcp.unreachable",
    });
  });

  test("of a run that others hold by now: nothing was sent", async () => {
    const executions = { markEffect: () => Promise.resolve(false) };
    const more = { executions } as unknown as Partial<RunToolDeps>;
    expect(await endOf(sending(answered({ content: [] })), { more })).toBe("superseded");
  });

  test("of a run that is stopped: its server is told", async () => {
    const running = new RunningAttempts();
    const call: Call = (_call, _hooks, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(refused("aborted")));
        running.stop("exe_1", 1, "shutdown");
      });
    expect(await endOf(call, { running })).toBe("shutdown");
  });
});

test("a secret in the arguments does not leave", async () => {
  const { calls, told } = await runWith(sending(answered({ content: [] })), {
    argumentsJson: '{"a":"s3cret"}',
  });
  expect(calls[0]?.argumentsJson).toBe('{"a":"[REDACTED]"}');
  expect(told).toEqual([expect.stringContaining("held a secret")]);
});

test("what a server says meanwhile is told in order, covered", async () => {
  const { told } = await runWith(async (_call, hooks) => {
    hooks.onLog([{ level: "info", text: "one s3cret" }]);
    hooks.onProgress('{"progress":1}');
    hooks.onLog([{ level: "info", text: "x".repeat(10_000) }]);
    return answered({ content: [] });
  });
  expect(told).toEqual(["one [REDACTED]", { progress: 1 }, expect.stringMatching(/^x+ … \(cut\)$/)]);
  expect(Buffer.byteLength(told[2] as string)).toBeLessThanOrEqual(8_192);
});

test("what is over the limit of the log is cut off with one warning", async () => {
  const limits = { ...RUN_LIMITS_DEFAULT, logBytes: 20 };
  const { told } = await runWith(
    async (_call, hooks) => {
      hooks.onLog([
        { level: "info", text: "a".repeat(10) },
        { level: "info", text: "b".repeat(10) },
        { level: "info", text: "c" },
      ]);
      hooks.onProgress("1");
      return answered({ content: [] });
    },
    { tool: { limits } },
  );
  expect(told).toEqual(["a".repeat(10), expect.stringContaining("The log limit")]);
});

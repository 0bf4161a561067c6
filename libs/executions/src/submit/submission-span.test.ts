import { Fault } from "@bulkhead/core";
import { PLATFORM_ERROR, NO_TRACING, type Tracing } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { ToldSpan } from "../fixtures/told-span.ts";
import { PLAIN_CALL } from "./build-execution.ts";
import { beginSubmission, inSubmission, inSubmissions } from "./submission-span.ts";

const GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const CALL = {
  ...PLAIN_CALL,
  source: "rest" as const,
  executionId: "exe_1",
  arguments: { said: "by a tenant" },
  context: { callId: "by a tenant" },
  timeoutMs: 1_000,
  traceId: "f".repeat(32),
};

test("the row's place in the trace is the step of its acceptance, and its id is the trace's", () => {
  const own = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
  const told = new ToldSpan("");
  const begun: unknown[] = [];
  const tracing: Tracing = {
    begin: (name, parent, options) => {
      begun.push({ name, parent, options });
      return Object.assign(told, { traceparent: own });
    },
  };
  const { call } = beginSubmission(tracing, { tenantId: "ten_a" }, "t", { ...CALL, traceparent: GIVEN });
  expect(call).toMatchObject({ traceId: "0af7651916cd43dd8448eb211c80319c", traceparent: own });
  expect(begun).toMatchObject([{ name: "send executions", parent: GIVEN, options: { kind: "producer" } }]);
  expect(JSON.stringify(begun)).not.toContain("by a tenant");
});

test("where nothing is recorded the caller's place is kept, and its own id where it has none", () => {
  const begin = (traceparent: string | null) =>
    beginSubmission(NO_TRACING, { tenantId: "ten_a" }, "t", { ...CALL, traceparent }).call;
  expect(begin(GIVEN)).toMatchObject({ traceId: "0af7651916cd43dd8448eb211c80319c", traceparent: GIVEN });
  expect(begin(null)).toMatchObject({ traceId: CALL.traceId, traceparent: null });
});

test("the step ends with what became of the call", async () => {
  const [queued, repeated, refused, broken] = ["", "", "", ""].map((name) => new ToldSpan(name));
  if (!queued || !repeated || !refused || !broken) throw new Error("no spans");
  await inSubmission(queued, async () => ({ executionId: "exe_1", repeated: false, status: "queued" }));
  await inSubmission(repeated, async () => ({ executionId: "exe_0", repeated: true }));
  const full = new Fault("tenant.backlog_full", { detail: "said to a tenant" });
  await expect(inSubmission(refused, () => Promise.reject(full))).rejects.toBe(full);
  await expect(inSubmission(broken, () => Promise.reject(new Error("words")))).rejects.toThrow("words");
  expect([queued, repeated].map(({ attributes, failure }) => [attributes, failure])).toEqual([
    [{ "bulkhead.execution.id": "exe_1", "bulkhead.outcome": "queued" }, null],
    [{ "bulkhead.execution.id": "exe_0", "bulkhead.outcome": "repeated" }, null],
  ]);
  // Only what can't be served is ours: a tenant can be refused as often as it likes.
  expect(refused.attributes).not.toHaveProperty("bulkhead.platform_error");
  expect(broken.attributes).toMatchObject(PLATFORM_ERROR);
  // Neither has an execution.
  for (const { attributes } of [refused, broken])
    expect(attributes).not.toHaveProperty("bulkhead.execution.id");
  expect([refused, broken].map(({ failure }) => failure)).toEqual([
    "tenant.backlog_full",
    "service.internal",
  ]);
});

test("each call of a batch has its own end, or all have that of the batch", async () => {
  const spans = [new ToldSpan("one"), new ToldSpan("two")];
  const answers = [{ executionId: "exe_1", repeated: false, status: "queued" }, new Fault("tool.not_found")];
  expect(await inSubmissions(spans, async () => answers)).toBe(answers);
  expect(spans.map(({ failure }) => failure)).toEqual([null, "tool.not_found"]);
  const others = [new ToldSpan("one"), new ToldSpan("two")];
  const conflict = new Fault("idempotency.conflict");
  await expect(inSubmissions(others, () => Promise.reject(conflict))).rejects.toBe(conflict);
  expect(others.map(({ failure }) => failure)).toEqual(["idempotency.conflict", "idempotency.conflict"]);
});

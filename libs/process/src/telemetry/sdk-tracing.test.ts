import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { sdkTracing } from "./sdk-tracing.ts";
import { readTraceparent } from "./trace-context.ts";
import { NO_SPAN, NO_TRACING, within } from "./trace-span.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

function recorded() {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  const provider = new TracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors });
  return { tracing: sdkTracing(provider.getTracer("test")), spans: () => exporter.getFinishedSpans() };
}

const nanoseconds = ([seconds, rest]: readonly [number, number]): bigint =>
  BigInt(seconds) * 1_000_000_000n + BigInt(rest);

test("a span goes on with the trace of its parent, and its own place is its children's", () => {
  const { tracing, spans } = recorded();
  const outer = tracing.begin("outer", PARENT, {
    kind: "consumer",
    attributes: { kept: 1, left: undefined },
  });
  outer.begin("inner").end();
  outer.end();
  const [inner, first] = spans();
  expect(first?.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
  expect(first?.attributes).toEqual({ kept: 1 });
  expect(inner?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
  expect(inner?.spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  expect(readTraceparent(outer.traceparent)).toEqual({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: first?.spanContext().spanId,
    sampled: true,
  });
});

test("a parent that is none begins a new trace", () => {
  const { tracing, spans } = recorded();
  tracing.begin("one", "00-not-a-parent").end();
  tracing.begin("two", null).end();
  expect(spans().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
});

test("a step that began before this process did lies where it was, and its children lie within it", () => {
  const { tracing, spans } = recorded();
  const begunAt = Date.now();
  const from = performance.now() - 3_600_000;
  const outer = tracing.begin("outer", null, { from });
  outer.event("seen", from + 1_000);
  outer.begin("inner", { from: from + 2_000 }).end(null, from + 3_000);
  outer.end();
  const [inner, whole] = spans();
  if (!inner || !whole) throw new Error("not recorded");
  const offset = (time: readonly [number, number]) =>
    Number(nanoseconds(time) - nanoseconds(whole.startTime)) / 1e6;
  // The machine may have stopped the test anywhere, also between two clocks.
  const spentMs = Date.now() - begunAt;
  expect(Math.abs(Number(nanoseconds(whole.startTime) / 1_000_000n) - (begunAt - 3_600_000))).toBeLessThan(
    1_000 + spentMs,
  );
  const [event] = whole.events;
  expect(
    [event?.time ?? [0, 0], inner.startTime, inner.endTime].map((time) => Math.round(offset(time))),
  ).toEqual([1_000, 2_000, 3_000]);
  expect(offset(whole.endTime)).toBeGreaterThanOrEqual(3_600_000);
});

test("a failure is a code in the status, and only the first end counts", () => {
  const { tracing, spans } = recorded();
  const span = tracing.begin("one", null);
  span.end("tool.threw");
  span.end("tool.cpu_limit");
  expect(spans()).toHaveLength(1);
  expect(spans()[0]).toMatchObject({
    status: { code: 2, message: "tool.threw" },
    attributes: { "error.type": "tool.threw" },
  });
});

test("work within a span ends it: with the code of its answer, or of what it throws, which goes on", async () => {
  const { tracing, spans } = recorded();
  const failureOf = { answered: (n: number) => (n > 1 ? "too_many" : null), threw: () => "threw" };
  expect(await within(tracing.begin("good", null), async () => 1, failureOf)).toBe(1);
  expect(await within(tracing.begin("bad", null), async () => 2, failureOf)).toBe(2);
  const thrown = within(
    tracing.begin("thrown", null),
    () => Promise.reject(new Error("tenant's words")),
    failureOf,
  );
  await expect(thrown).rejects.toThrow("tenant's words");
  expect(spans().map(({ name, status }) => [name, status.message])).toEqual([
    ["good", undefined],
    ["bad", "too_many"],
    ["thrown", "threw"],
  ]);
  expect(JSON.stringify(spans().map(({ events, attributes }) => [events, attributes]))).not.toContain(
    "words",
  );
});

test("switched off, the caller's place is handed on and nothing else is", () => {
  expect(NO_TRACING.begin("one", null)).toBe(NO_SPAN);
  const span = NO_TRACING.begin("one", PARENT).begin("two");
  expect([span.traceparent, span.isRecording]).toEqual([PARENT, false]);
});

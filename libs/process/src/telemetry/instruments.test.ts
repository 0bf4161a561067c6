import type { Meter } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { countBy, histogramOf, LabelValues, timeBy } from "./instruments.ts";

/** What an instrument was made with, and told. */
function recording() {
  const made: unknown[] = [];
  const told: [number, object | undefined][] = [];
  const tell = (value: number, labels?: object): void => void told.push([value, labels]);
  const make = (name: string, options: object) => {
    made.push([name, options]);
    return { add: tell, record: tell };
  };
  return { meter: { createCounter: make, createHistogram: make } as unknown as Meter, made, told };
}

test("a label's object is made once, and what is on no list is other", () => {
  const labels = new LabelValues("kind", ["small", "large"]);
  expect(labels.of("small")).toBe(labels.of("small"));
  expect(labels.of("small")).toEqual({ kind: "small" });
  expect(labels.of("ten_0123456789abcdef")).toEqual({ kind: "other" });
  expect(labels.of("huge")).toBe(labels.of("gigantic"));
});

test("every value of a counter is there at 0, then counted under its own", () => {
  const { meter, told } = recording();
  const count = countBy(meter, "bulkhead_sync_calls_total");
  expect(told).toEqual(["ok", "tool_error", "platform_error"].map((outcome) => [0, { outcome }]));
  count("tool_error");
  count("ok", 3);
  expect(told.slice(3)).toEqual([
    [1, { outcome: "tool_error" }],
    [3, { outcome: "ok" }],
  ]);
});

test("milliseconds are told as seconds, by the label and in the buckets of the table", () => {
  const { meter, made, told } = recording();
  timeBy(meter, "bulkhead_execution_phase_seconds")("run", 250);
  expect(told).toEqual([[0.25, { phase: "run" }]]);
  histogramOf(meter, "bulkhead_stream_lag_seconds");
  for (const [, options] of made as [string, { advice: { explicitBucketBoundaries: number[] } }][])
    expect(options.advice.explicitBucketBoundaries.length).toBeGreaterThan(5);
});

import type { Meter } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { streamMetrics } from "./stream-metrics.ts";

const MINUTE_MS = 60_000;

function bench() {
  const lags: number[] = [];
  const callbacks: ((result: { observe(value: number): void }) => void)[] = [];
  const meter = {
    createHistogram: () => ({ record: (seconds: number) => lags.push(seconds) }),
    createObservableGauge: () => ({
      addCallback: (each: (typeof callbacks)[number]) => callbacks.push(each),
    }),
  } as unknown as Meter;
  const streams = streamMetrics(meter);
  const open = (): number => {
    let seen = -1;
    for (const callback of callbacks) callback({ observe: (value) => (seen = value) });
    return seen;
  };
  return { streams, lags, open };
}

test("streams are counted while they are open", () => {
  const { streams, open } = bench();
  const [one, other] = [streams.opened(), streams.opened()];
  expect(open()).toBe(2);
  one.closed();
  other.closed();
  expect(open()).toBe(0);
});

test("only what happened while a stream was open is late by its own doing", () => {
  const { streams, lags } = bench();
  const stream = streams.opened();
  stream.wrote(new Date(Date.now() - MINUTE_MS).toISOString());
  stream.wrote(undefined);
  stream.wrote("no time");
  expect(lags).toEqual([]);
  // Another machine's clock may be ahead: nothing is sent before it happens.
  stream.wrote(new Date(Date.now() + MINUTE_MS).toISOString());
  expect(lags).toEqual([0]);
});

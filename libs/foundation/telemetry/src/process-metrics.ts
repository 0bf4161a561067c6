import type { Meter } from "@opentelemetry/api";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { gaugeOf, observedCounterOf } from "./instruments.ts";
import { productVersion } from "./product-version.ts";

/** How often the event loop is asked how late it is; milliseconds. */
const LOOP_EVERY_MS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Measures this process: what it is, since when, and what it uses. Answers how to stop that. */
export function watchProcess(meter: Meter, service: string): () => void {
  const build = { service, version: productVersion(), node: process.versions.node, v8: process.versions.v8 };
  const startedAt = (performance.timeOrigin / 1_000).toFixed(3);
  gaugeOf(meter, "bulkhead_build_info").addCallback((result) => result.observe(1, build));
  gaugeOf(meter, "bulkhead_process_start_time_seconds").addCallback((result) =>
    result.observe(Number(startedAt)),
  );
  gaugeOf(meter, "bulkhead_process_resident_memory_bytes").addCallback((result) =>
    result.observe(process.memoryUsage.rss()),
  );
  observedCounterOf(meter, "bulkhead_process_cpu_seconds_total").addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe((user + system) / MICROSECONDS);
  });
  return watchEventLoop(meter);
}

function watchEventLoop(meter: Meter): () => void {
  const delays = monitorEventLoopDelay({ resolution: LOOP_EVERY_MS });
  delays.enable();
  // What is measured is the time between two looks, so an idle loop would show the time between them.
  const lateSeconds = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / NANOSECONDS - LOOP_EVERY_MS / 1_000);
  gaugeOf(meter, "bulkhead_event_loop_delay_seconds").addCallback((result) => {
    if (delays.count === 0) return;
    result.observe(lateSeconds(delays.percentile(50)), { stat: "p50" });
    result.observe(lateSeconds(delays.percentile(99)), { stat: "p99" });
    result.observe(lateSeconds(delays.max), { stat: "max" });
    delays.reset();
  });
  return () => void delays.disable();
}

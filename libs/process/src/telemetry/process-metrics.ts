import type { Meter } from "@opentelemetry/api";
import { gaugeOf, observedCounterOf } from "./instruments.ts";
import { openLoopDelay } from "./loop-delay.ts";
import { productVersion } from "./resource.ts";

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
  const delay = openLoopDelay();
  gaugeOf(meter, "bulkhead_event_loop_delay_seconds").addCallback((result) => {
    for (const [stat, seconds] of Object.entries(delay.seconds())) result.observe(seconds, { stat });
  });
  return () => delay.close();
}

import { startProduct, until } from "@bulkhead/testing";
import { expect, test, vi } from "vitest";
import { createTool, newTenant } from "../support/client.ts";
import { openCollector } from "../support/collector.ts";

/** Nobody listens there, and no port of another test's choosing can be that one. */
const nobody = () => Promise.resolve({ url: "http://127.0.0.1:2", close: () => Promise.resolve() });

/** Each test starts a product of its own, which elsewhere has the time of a hook. */
vi.setConfig({ testTimeout: 240_000 });

/** More than the queue of spans holds, several times. */
const CALLS = 20;
/** An API and a worker. */
const PROCESSES = 2;
/** Longer than a stop may take: who waits for the collector does not stop in time. */
const PATIENCE_MS = "60000";

test.each<[string, () => Promise<{ url: string; close(): Promise<void> }>]>([
  ["is not there", nobody],
  ["reads and never answers", () => openCollector({ answers: false })],
])("a collector that %s changes nothing for executions, nor for the stop", async (_what, open) => {
  const collector = await open();
  const product = await startProduct({
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_TIMEOUT: PATIENCE_MS,
      OTEL_BSP_EXPORT_TIMEOUT: PATIENCE_MS,
      OTEL_BSP_SCHEDULE_DELAY: "20",
      OTEL_BSP_MAX_QUEUE_SIZE: "8",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "4",
    },
  });
  try {
    product.showLogsIfTestFails();
    const { owner } = await newTenant(product);
    await createTool(owner, "echo", "return args.n;");
    const call = (n: number) => owner.post("/api/v1/custom-tools/echo/execute", { arguments: { n } });
    for (let n = 0; n < CALLS; n += 1) expect((await call(n)).body.data.result).toBe(n);
    const told = () => product.logs().match(/exporting traces failed/g)?.length ?? 0;
    // Once by each process, however many spans were dropped.
    await until(() => told() === PROCESSES, { what: "API and worker report the collector" });
    expect((await call(CALLS)).body.data.result).toBe(CALLS);
    expect(told()).toBe(PROCESSES);
  } finally {
    // Throws when a process does not stop by itself in time.
    await product.stop();
    await collector.close();
  }
  // At its end a process gives up on what it has not sent, and does not say so a second time.
  expect(product.logs().match(/exporting traces failed/g)).toHaveLength(PROCESSES);
});

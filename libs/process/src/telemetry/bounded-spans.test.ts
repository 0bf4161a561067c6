import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { BoundedSpans, type TellingExporter } from "./bounded-spans.ts";

class HeldExporter implements TellingExporter {
  lost = 0;
  readonly names: string[] = [];
  readonly held: ((result: ExportResult) => void)[] = [];
  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.names.push(...spans.map(({ name }) => name));
    this.held.push(done);
  }
  lose(count: number): void {
    this.lost += count;
  }
  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

test("spans beyond the queue are counted, and there is room again for those behind a batch that was taken", async () => {
  const exporter = new HeldExporter();
  const spans = new BoundedSpans({
    exporter,
    maxQueueSize: 3,
    maxExportBatchSize: 3,
    scheduledDelayMillis: 60_000,
    exportTimeoutMillis: 60_000,
  });
  const tracer = new TracerProvider({ spanProcessors: [spans] }).getTracer("test");
  const end = (names: string) => names.split("").forEach((name) => tracer.startSpan(name).end());
  end("abc"); // A whole batch: under way at once, and held there.
  end("defgh");
  expect([exporter.names.join(""), exporter.lost]).toEqual(["abc", 2]);
  exporter.held[0]?.({ code: ExportResultCode.SUCCESS });
  const closing = spans.shutdown();
  end("i");
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  for (const done of exporter.held.slice(1)) done({ code: ExportResultCode.SUCCESS });
  await closing;
  expect([exporter.names.join(""), exporter.lost]).toEqual(["abcdef", 2]);
});

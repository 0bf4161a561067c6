import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import {
  PeriodicExportingMetricReader,
  type InstrumentType,
  type PushMetricExporter,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { PushPlan } from "./otel-settings.ts";
import { temporalityOf } from "./scrape-reader.ts";

/** One push, its repeats included; the next one tells everything anew, so there is no use in insisting. Milliseconds. */
const PUSH_MS_MAX = 3_000;
/** A collector that is away is one message in this time; milliseconds. */
const REPORT_EVERY_MS = 60_000;

/**
 * Pushes all metrics to the collector that the standard `OTEL_EXPORTER_OTLP_*` variables name (headers, compression and
 * certificates included) as often as the plan says, and once more when it is shut down.
 */
export async function openPushReader(
  { everyMs, protocol }: PushPlan,
  onError: (error: unknown) => void,
): Promise<PeriodicExportingMetricReader> {
  // Only who pushes pays for loading it.
  const { OTLPMetricExporter } = await (protocol === "http/json"
    ? import("@opentelemetry/exporter-metrics-otlp-http")
    : import("@opentelemetry/exporter-metrics-otlp-proto"));
  return new PushReader(
    everyMs,
    new CalmExporter(new OTLPMetricExporter({ timeoutMillis: PUSH_MS_MAX }), onError),
  );
}

class PushReader extends PeriodicExportingMetricReader {
  readonly #exporter: CalmExporter;

  constructor(everyMs: number, exporter: CalmExporter) {
    const exportTimeoutMillis = Math.min(everyMs, PUSH_MS_MAX);
    super({ exporter, exportIntervalMillis: everyMs, exportTimeoutMillis });
    this.#exporter = exporter;
  }

  protected override async onShutdown(): Promise<void> {
    this.#exporter.isClosing = true;
    await super.onShutdown();
  }
}

/** Reports failures now and then, and holds no stop up for a collector that is away. */
class CalmExporter implements PushMetricExporter {
  isClosing = false;
  readonly #exporter: PushMetricExporter;
  readonly #onError: (error: unknown) => void;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isAway = false;

  constructor(exporter: PushMetricExporter, onError: (error: unknown) => void) {
    this.#exporter = exporter;
    this.#onError = onError;
  }

  export(metrics: ResourceMetrics, done: (result: ExportResult) => void): void {
    // The reader would report a failure a second time, to a global handler; so it hears of none.
    const isDone = (): void => done({ code: ExportResultCode.SUCCESS });
    if (this.isClosing && this.#isAway) return isDone();
    this.#exporter.export(metrics, ({ code, error }) => {
      this.#isAway = code === ExportResultCode.FAILED;
      if (this.#isAway) this.#report(error);
      isDone();
    });
  }

  selectAggregationTemporality(type: InstrumentType) {
    const selected = this.#exporter.selectAggregationTemporality?.(type);
    if (selected === undefined) throw new Error("the exporter chooses no temporality");
    return temporalityOf(type, selected);
  }

  async forceFlush(): Promise<void> {
    if (!this.#isAway) await this.#exporter.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  #report(error: unknown): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#onError(error);
  }
}

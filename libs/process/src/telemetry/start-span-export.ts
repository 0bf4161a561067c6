import type { Tracer } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import { setTimeout as delay } from "node:timers/promises";
import { BoundedSpans } from "./bounded-spans.ts";
import { OtlpSpanExporter } from "./otlp-span-exporter.ts";
import { productVersion, resourceOf } from "./resource.ts";
import type { SpanDestination, TracingSettings } from "./tracing-settings.ts";

/** The time that a stop leaves to the last spans, where a collector answers late or never. Milliseconds. */
const FLUSH_MS_MAX = 1_000;
/** Of one attribute's text; what is longer is cut off. */
const ATTRIBUTE_CHARS_MAX = 256;
/** Of one span. */
const EVENTS_MAX = 32;

export interface SpanExport {
  tracer: Tracer;
  /** Sends what is left, for a second at most. */
  close(): Promise<void>;
}

/** The part of tracing that loads the SDK: only processes that are to record anything import this file. */
export function startSpanExport(
  settings: TracingSettings,
  to: SpanDestination,
  service: string,
  onError: (error: unknown) => void,
): SpanExport {
  const exporter = new OtlpSpanExporter(to, onError);
  const queueMax = settings.OTEL_BSP_MAX_QUEUE_SIZE;
  const provider = new TracerProvider({
    resource: resourceOf(service),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARS_MAX, eventCountLimit: EVENTS_MAX },
    spanProcessors: [
      new BoundedSpans({
        exporter,
        maxQueueSize: queueMax,
        maxExportBatchSize: Math.min(queueMax, settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE),
        scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: settings.OTEL_BSP_EXPORT_TIMEOUT,
      }),
    ],
  });
  const close = async (): Promise<void> => {
    const over = new AbortController();
    // The exporter reports the spans that were not taken.
    const flushed = provider.shutdown().catch(() => undefined);
    await Promise.race([flushed, delay(FLUSH_MS_MAX, null, { signal: over.signal }).catch(() => null)]);
    over.abort();
    await exporter.shutdown();
    await flushed;
  };
  return { tracer: provider.getTracer("bulkhead", productVersion()), close };
}

const SAMPLERS: Readonly<Record<TracingSettings["OTEL_TRACES_SAMPLER"], (share: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (share) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
};

const samplerOf = ({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: TracingSettings): Sampler =>
  SAMPLERS[name](share);

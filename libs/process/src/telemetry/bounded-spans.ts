import { TraceFlags } from "@opentelemetry/api";
import {
  BatchSpanProcessor,
  type BatchSpanProcessorOptions,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";

/** An exporter that is told of spans which never get to it, and reports them with those that it could not send. */
export interface TellingExporter extends SpanExporter {
  lose(count: number): void;
}

interface Bounds extends Omit<BatchSpanProcessorOptions, "exporter" | "maxQueueSize"> {
  exporter: TellingExporter;
  maxQueueSize: number;
}

/** Batches with a queue of `maxQueueSize` spans; beyond it the SDK's own processor would drop them without a word. */
export class BoundedSpans extends BatchSpanProcessor {
  readonly #exporter: TellingExporter;
  readonly #max: number;
  #waiting = 0;
  #isClosed = false;

  constructor({ exporter, ...bounds }: Bounds) {
    const counting: SpanExporter = {
      export: (spans, done) => {
        this.#waiting -= spans.length;
        exporter.export(spans, done);
      },
      shutdown: () => exporter.shutdown(),
    };
    super({ ...bounds, exporter: counting });
    this.#exporter = exporter;
    this.#max = bounds.maxQueueSize;
  }

  override onEnd(span: ReadableSpan): void {
    if (this.#isClosed || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (this.#waiting >= this.#max) return this.#exporter.lose(1);
    this.#waiting += 1;
    super.onEnd(span);
  }

  override shutdown(): Promise<void> {
    this.#isClosed = true;
    return super.shutdown();
  }
}

import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { TellingExporter } from "./bounded-spans.ts";
import type { SpanDestination } from "./tracing-settings.ts";

const squeeze = promisify(gzip);

const FORMATS = {
  "http/json": { serializer: JsonTraceSerializer, type: "application/json" },
  "http/protobuf": { serializer: ProtobufTraceSerializer, type: "application/x-protobuf" },
} as const;

/** A collector that is away for long is told of once in so long. Milliseconds. */
const REPORT_EVERY_MS = 60_000;

/**
 * Sends spans over HTTP, once: what a collector did not take is dropped, counted and reported, at most once a minute. The
 * standard's own exporter would try on, and reads settings of its own.
 */
export class OtlpSpanExporter implements TellingExporter {
  readonly #to: SpanDestination;
  readonly #onError: (error: Error) => void;
  readonly #ending = new AbortController();
  #dropped = 0;
  #cause: unknown;
  #quiet: NodeJS.Timeout | undefined;

  constructor(to: SpanDestination, onError: (error: Error) => void) {
    this.#to = to;
    this.#onError = onError;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    void this.#export(spans, done);
  }

  lose(count: number): void {
    this.#drop(count, new Error("more wait for an export than OTEL_BSP_MAX_QUEUE_SIZE allows"));
  }

  /** Ends what is under way. */
  shutdown(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#quiet);
    return Promise.resolve();
  }

  async #export(spans: ReadableSpan[], done: (result: ExportResult) => void): Promise<void> {
    let code = ExportResultCode.SUCCESS;
    try {
      await this.#send(spans);
    } catch (error) {
      this.#drop(spans.length, error);
      code = ExportResultCode.FAILED;
    }
    done({ code });
  }

  async #send(spans: ReadableSpan[]): Promise<void> {
    const { url, protocol, headers, timeoutMs, compression } = this.#to;
    const { serializer, type } = FORMATS[protocol];
    const bytes = serializer.serializeRequest(spans) ?? new Uint8Array();
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...Object.fromEntries(headers.map(([name, value]) => [name, value.reveal()])),
        "content-type": type,
        ...(compression === "gzip" ? { "content-encoding": "gzip" } : {}),
      },
      body: new Uint8Array(compression === "gzip" ? await squeeze(bytes) : bytes),
      // Headers hold credentials, which are for this address and no other.
      redirect: "error",
      signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
  }

  #drop(count: number, cause: unknown): void {
    this.#dropped += count;
    this.#cause = cause;
    if (this.#quiet === undefined) this.#report();
  }

  /** At once for the first ones, and after each minute for what was dropped in it. */
  #report(): void {
    this.#quiet = undefined;
    if (this.#dropped === 0) return;
    const what = `spans do not reach ${new URL(this.#to.url).host}, dropped: ${this.#dropped}`;
    this.#dropped = 0;
    this.#quiet = setTimeout(() => this.#report(), REPORT_EVERY_MS).unref();
    // At the end there is no next report.
    if (this.#ending.signal.aborted) clearTimeout(this.#quiet);
    this.#onError(new Error(what, { cause: this.#cause }));
  }
}

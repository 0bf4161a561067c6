import type { Meter } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import type { PushPlan } from "./otel-settings.ts";
import { watchProcess } from "./process-metrics.ts";
import { openPushReader } from "./push-reader.ts";
import { resourceOf } from "./resource.ts";
import { ScrapeReader } from "./scrape-reader.ts";
import { openScrapeServer } from "./scrape-server.ts";

export interface OpenMetricsInput {
  host: string;
  /** 0 lets the system choose a free one. */
  port: number;
  /** It names this program: `api`, `worker`. */
  service: string;
  /** How they are pushed to a collector too (`pushPlan`); null or left out: not at all. */
  push?: PushPlan | null;
  /** Told about a value that could not be read at a scrape; the others are served all the same; and about a collector that is away. */
  onError: (error: unknown) => void;
}

/** The metrics of one process. */
export interface Metrics {
  /** Makes instruments. Names start with `bulkhead_`; labels come from closed lists, never from a tenant. */
  readonly meter: Meter;
  /** The address at which they are served, as in `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  /** Safe to call again. */
  close(): Promise<void>;
}

/** The longest time that one scrape waits for values; milliseconds. */
const COLLECT_MS_MAX = 2_000;
/** The longest time that the last push holds up a stop; milliseconds. */
const CLOSE_MS_MAX = 2_000;

/**
 * Serves the process's metrics as Prometheus text on `GET /metrics`, its own facts (memory, processor time, event loop)
 * among them. Everything hangs on what is returned; nothing global is registered. Throws a SettingsError that names
 * METRICS_HOST or METRICS_PORT when it can't listen there.
 */
export async function openMetrics(input: OpenMetricsInput): Promise<Metrics> {
  const { host, port, service, push = null, onError } = input;
  const reader = new ScrapeReader();
  const pushing = push === null ? [] : [await openPushReader(push, onError)];
  const provider = new MeterProvider({ readers: [reader, ...pushing], resource: resourceOf(service) });
  const serializer = new PrometheusSerializer("", false, undefined, true, true);
  const scrape = async (): Promise<string> => {
    const { resourceMetrics, errors } = await reader.collect({ timeoutMillis: COLLECT_MS_MAX });
    for (const error of errors) onError(error);
    return `${serializer.serialize(resourceMetrics).trimEnd()}\n`;
  };
  const server = await openScrapeServer({ host, port, scrape, onError });
  const meter = provider.getMeter("bulkhead");
  const stopWatching = watchProcess(meter, service);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopWatching();
    await server.close();
    await provider.shutdown({ timeoutMillis: CLOSE_MS_MAX }).catch(onError);
  };
  return { meter, url: server.url, close: () => (closing ??= close()) };
}

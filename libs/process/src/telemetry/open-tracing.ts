import { NO_TRACING, type Tracing } from "./trace-span.ts";
import { spanDestination, type TracingSettings } from "./tracing-settings.ts";

export interface OpenTracingInput {
  settings: TracingSettings;
  /** It names this program: `api`, `worker`. The settings may name it otherwise. */
  service: string;
  /** Told of spans that did not reach the collector, at most once a minute. */
  onError: (error: unknown) => void;
}

export interface OpenedTracing extends Tracing {
  /** Sends what is left, for a second at most; safe to call again. */
  close(): Promise<void>;
}

/**
 * The traces of one process. Switched off, which is the default, nothing of the SDK is loaded, and a step costs a call
 * that does nothing. Whether a collector is there changes nothing for who begins a span. Nothing global is registered.
 */
export async function openTracing({ settings, service, onError }: OpenTracingInput): Promise<OpenedTracing> {
  const to = spanDestination(settings);
  if (to === null) return { ...NO_TRACING, close: () => Promise.resolve() };
  const [{ startSpanExport }, { sdkTracing }] = await Promise.all([
    import("./start-span-export.ts"),
    import("./sdk-tracing.ts"),
  ]);
  const exporting = startSpanExport(settings, to, service, onError);
  let closing: Promise<void> | undefined;
  return { ...sdkTracing(exporting.tracer), close: () => (closing ??= exporting.close()) };
}

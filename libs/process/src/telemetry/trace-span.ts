/** Values from closed lists, ids and numbers. Never arguments, results, secrets, paths, queries or messages; undefined is left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** `internal` when unset. */
  kind?: "internal" | "server" | "client" | "producer" | "consumer";
  attributes?: SpanAttributes;
  /** When it began, by `performance.now()`; now when unset. */
  from?: number;
}

/**
 * Put on a step that failed by our doing: what keeps traces keeps these, however often tools fail of themselves. A code
 * alone doesn't say it.
 */
export const PLATFORM_ERROR = { "bulkhead.platform_error": true } as const satisfies SpanAttributes;

/** One step of a trace, from which further steps begin. Nothing of it throws or waits; after its end it may still be a parent. */
export interface TraceSpan {
  /** As W3C Trace Context writes it, for whoever goes on in another process; null where there is no trace. */
  readonly traceparent: string | null;
  /** False where nothing that is said of it is kept: what costs something need not be found out. */
  readonly isRecording: boolean;
  begin(name: string, options?: SpanOptions): TraceSpan;
  set(attributes: SpanAttributes): void;
  /** Something that happened in it, now or `at` a moment of `performance.now()`. */
  event(name: string, at?: number): void;
  /** The first call counts. `failure` is a code from a closed list, never a message; `at` as for an event. */
  end(failure?: string | null, at?: number): void;
}

/** Begins traces, and continues traces that began in another process. */
export interface Tracing {
  /** `parent` is a traceparent, which is ignored where it is none; null begins a trace. */
  begin(name: string, parent: string | null, options?: SpanOptions): TraceSpan;
}

/** Records nothing and hands its caller's place in a trace on, so that who records comes after who called. */
class UnrecordedSpan implements TraceSpan {
  readonly isRecording = false;
  readonly traceparent: string | null;
  constructor(traceparent: string | null) {
    this.traceparent = traceparent;
  }
  begin(): TraceSpan {
    return this;
  }
  set(): void {}
  event(): void {}
  end(): void {}
}

/** Of no trace. */
export const NO_SPAN: TraceSpan = new UnrecordedSpan(null);

/** Tracing that is switched off. */
export const NO_TRACING: Tracing = {
  begin: (_name, parent) => (parent === null ? NO_SPAN : new UnrecordedSpan(parent)),
};

/** Does the work inside a span that ends with it: with what `failureOf` makes of what it answers or throws. */
export async function within<T>(
  span: TraceSpan,
  work: (span: TraceSpan) => Promise<T>,
  failureOf: { answered?: (answer: T) => string | null; threw: (error: unknown) => string },
): Promise<T> {
  try {
    const answer = await work(span);
    span.end(failureOf.answered?.(answer));
    return answer;
  } catch (error) {
    span.end(failureOf.threw(error));
    throw error;
  }
}

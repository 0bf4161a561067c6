import type { Scrubber } from "@bulkhead/core";
import { coverReport } from "@bulkhead/executions";
import { levelOf } from "@bulkhead/process/settings";
import { shownError } from "@bulkhead/process/telemetry";
import type { FastifyBaseLogger } from "fastify";

type Line = [fields: object, message?: string];
type Bindings = Record<string, unknown>;
type ChildOptions = Parameters<FastifyBaseLogger["child"]>[1];

/** A request's logger, made when its first line is written: each request has one, and hardly any writes. */
export class LateLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #options: ChildOptions;
  #bindings: Bindings;
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  /** Adds to what every line says from now on. */
  name(bindings: Bindings): void {
    this.#bindings = { ...this.#bindings, ...bindings };
    this.#made = null;
  }

  get level(): string {
    return this.#logger.level;
  }

  set level(level: string) {
    this.#logger.level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#logger.child(bindings, options);
  }

  fatal(...line: unknown[]): void {
    this.#logger.fatal(...(line as Line));
  }

  error(...line: unknown[]): void {
    this.#logger.error(...(line as Line));
  }

  warn(...line: unknown[]): void {
    this.#logger.warn(...(line as Line));
  }

  info(...line: unknown[]): void {
    this.#logger.info(...(line as Line));
  }

  debug(...line: unknown[]): void {
    this.#logger.debug(...(line as Line));
  }

  trace(...line: unknown[]): void {
    this.#logger.trace(...(line as Line));
  }

  silent(...line: unknown[]): void {
    this.#logger.silent(...(line as Line));
  }

  get #logger(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings, this.#options));
  }
}

/** Fastify's factory of requests' loggers. */
export const lateLogger = (
  parent: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildOptions,
): FastifyBaseLogger => new LateLogger(parent, bindings, options);

/** Serializers of log lines about requests: an error stands as it is where nothing in it is secret, else as its covered text. */
export const coveredLines = (scrubber: Pick<Scrubber, "text">) => ({
  err(error: unknown): unknown {
    let shown = error;
    coverReport((_what, covered) => void (shown = covered), scrubber)("", error);
    return shownError(shown);
  },
  internal: (text: unknown): unknown => (typeof text === "string" ? scrubber.text(text) : text),
});

/** How lines about requests are written where the setting LOG_LEVEL says this. */
export const httpLines = (logLevel: string, scrubber: Pick<Scrubber, "text">) => ({
  // Fastify tells at level info that it listens, which the ready line already does.
  ...(levelOf(logLevel, "http") === "info" ? { level: "warn" } : {}),
  serializers: coveredLines(scrubber),
});

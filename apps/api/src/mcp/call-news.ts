import { valueOf, type ExecutionEvent, type LogLevel, stringifyJson } from "@bulkhead/core";
import type { LoggingLevel, Notification, ProgressToken } from "@modelcontextprotocol/server";

/** Each tells what its caller asked for of it. */
export interface NewsWanted {
  progressToken: ProgressToken | null;
  /** The least level of log messages; null: none. */
  logLevel: LoggingLevel | null;
}

/** The least level there is. */
export const ALL_LEVELS = "debug";

const LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];
const LEVEL_OF: Readonly<Record<LogLevel, LoggingLevel>> = {
  debug: "debug",
  info: "info",
  warn: "warning",
  error: "error",
};

export const readLevel = (said: unknown): LoggingLevel | null =>
  LEVELS.find((level) => level === said) ?? null;

/** Between two whole steps there is room for so many signs of life. */
const HEARTBEAT = 0.001;
/** Events of one attempt, at most: the progress of the next one goes on behind them. */
const ATTEMPT = 1_000_000;

/**
 * What an execution says while it runs, as notifications of MCP. Progress only rises, as the protocol demands: a tool tells its
 * own by `emit({progress, total?, message?})`, anything else that it emits counts as a step.
 */
export class CallNews {
  readonly #wanted: NewsWanted;
  #progress = -Infinity;

  constructor(wanted: NewsWanted) {
    this.#wanted = wanted;
  }

  /** Null for an event of which nothing is told. */
  of(event: ExecutionEvent): Notification | null {
    if (event.type === "execution.log") return this.#log(event);
    if (event.type === "execution.progress") return this.#emitted(event);
    return null;
  }

  /** A sign of life, which keeps a client's time from running out; null where the client takes none. */
  heartbeat(): Notification | null {
    return this.#tell({ message: "the call goes on" }, Math.max(this.#progress, 0) + HEARTBEAT);
  }

  #log({ level, text }: { level: LogLevel; text: string }): Notification | null {
    const { logLevel } = this.#wanted;
    const as = LEVEL_OF[level];
    if (logLevel === null || LEVELS.indexOf(as) < LEVELS.indexOf(logLevel)) return null;
    return { method: "notifications/message", params: { level: as, logger: "tool", data: text } };
  }

  #emitted({ id, value }: Extract<ExecutionEvent, { type: "execution.progress" }>): Notification | null {
    if (this.#wanted.progressToken === null) return null;
    const said = valueOf(value);
    const { progress, total, message } = (typeof said === "object" && said !== null ? said : {}) as Record<
      string,
      unknown
    >;
    if (typeof progress === "number" && progress > this.#progress) {
      const more = {
        ...(typeof total === "number" ? { total } : {}),
        ...(typeof message === "string" ? { message } : {}),
      };
      return this.#tell(more, progress);
    }
    // Counted by the event's own number, so that another process that goes on with the stream counts on.
    const [attempt = 1, n = 1] = id.split("-").map(Number);
    const step = (attempt - 1) * ATTEMPT + n;
    const text = typeof said === "string" ? said : stringifyJson(said);
    return this.#tell({ message: text }, step > this.#progress ? step : this.#progress + HEARTBEAT);
  }

  #tell(more: object, progress: number): Notification | null {
    const { progressToken } = this.#wanted;
    if (progressToken === null) return null;
    this.#progress = progress;
    return { method: "notifications/progress", params: { progressToken, progress, ...more } };
  }
}

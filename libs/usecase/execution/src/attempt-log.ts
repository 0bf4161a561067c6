import {
  HOLDER_FIRST_EVENT,
  type AttemptKey,
  type Clock,
  type EventStream,
  type ExecutionEvent,
  type Json,
  type LogLevel,
} from "@bulkhead/domain";
import type { Report } from "./report.ts";

export interface AttemptLogDeps {
  stream: Pick<EventStream, "append">;
  clock: Clock;
  report: Report;
}

type Said =
  | { type: "execution.started" }
  | { type: "execution.log"; level: LogLevel; text: string }
  | { type: "execution.progress"; value: Json };

/** What the holder of one attempt tells the followers, numbered in order. The stream is a view: a failure to tell stops no run. */
export class AttemptLog {
  readonly #deps: AttemptLogDeps;
  readonly #attempt: AttemptKey;
  #n = HOLDER_FIRST_EVENT;
  #reported = false;

  constructor(deps: AttemptLogDeps, attempt: AttemptKey) {
    this.#deps = deps;
    this.#attempt = attempt;
  }

  /** The id for the attempt's last event; nothing is said after it was asked for. */
  endEventId(): string {
    return this.#nextId();
  }

  say(said: Said): void {
    const { executionId, attempt } = this.#attempt;
    const at = this.#deps.clock().toISOString();
    this.send({ ...said, id: this.#nextId(), executionId, attempt, at });
  }

  send(event: ExecutionEvent): void {
    this.#deps.stream.append(this.#attempt.tenantId, [event]).catch((error: unknown) => {
      // One report for an attempt: a stream that is away would fail for every line.
      if (!this.#reported) this.#deps.report("appending to an execution's stream failed", error);
      this.#reported = true;
    });
  }

  #nextId(): string {
    const id = `${this.#attempt.attempt}-${this.#n}`;
    this.#n += 1;
    return id;
  }
}

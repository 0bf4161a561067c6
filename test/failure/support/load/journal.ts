import { isEndEvent, type Call, type History, type Reading, type Submission } from "../history/history.ts";
import type { HttpEnd } from "../wire/http-call.ts";
import { outcomeOf } from "./outcome.ts";

/** Writes down what clients do and hear, as it happens. */
export class Journal {
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  invoke(what: Call["what"]): Call {
    const call: Call = { what, askedAt: performance.now(), answeredAt: null, outcome: null };
    this.#history.calls.push(call);
    return call;
  }

  submission(call: Call, marker: string, key: string | null): Submission {
    const submission: Submission = { call, marker, key, executionId: null };
    this.#history.submissions.push(submission);
    return submission;
  }

  cancel(executionId: string): Call {
    const call = this.invoke("cancel");
    this.#history.cancels.push({ executionId, call });
    return call;
  }

  ended(call: Call, end: HttpEnd): null {
    call.answeredAt = performance.now();
    call.outcome = outcomeOf(end);
    return null;
  }

  /** The end that a stream told is a sighting like any other. */
  read(call: Call, reading: Reading): Reading {
    for (const { event } of reading.events.filter(isEndEvent)) {
      this.sighted(call, reading.executionId, event.replace("execution.", ""), "stream");
    }
    return reading;
  }

  /** Nothing where the answer told no status. */
  sighted(
    call: Call,
    executionId: string | null,
    status: unknown,
    by: History["sightings"][number]["by"],
  ): void {
    if (executionId === null || typeof status !== "string") return;
    const seenAt = performance.now();
    this.#history.sightings.push({ executionId, status, by, askedAt: call.askedAt, seenAt });
  }
}

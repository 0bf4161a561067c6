import type { History, Reading, StreamEvent, Submission } from "../history/history.ts";
import { readEventStream } from "../wire/event-stream.ts";
import { httpCall, send, type HttpEnd } from "../wire/http-call.ts";
import { Journal } from "./journal.ts";
import { dataOf, itemOutcome, textOf } from "./outcome.ts";
import { batchRequest, executeRequest, requestOf, type Target, type Wanted } from "./requests.ts";

/** A client that writes down each of its calls, and what every answer told, into a history. */
export class Caller {
  readonly #target: Target;
  readonly #journal: Journal;

  constructor(target: Target, history: History) {
    this.#target = target;
    this.#journal = new Journal(history);
  }

  /** Answers the id where one was told. */
  async submit(wanted: Wanted, mode: "sync" | "async"): Promise<string | null> {
    return textOf(dataOf(await this.submitAndTell(wanted, mode))["executionId"]);
  }

  async submitAndTell(wanted: Wanted, mode: "sync" | "async"): Promise<HttpEnd> {
    const submission = this.#submission(wanted);
    const end = await httpCall(executeRequest(this.#target, wanted, mode));
    const data = dataOf(end);
    // Whatever the answer, an id in it is an execution that was accepted.
    submission.executionId = textOf(data["executionId"]);
    this.#journal.ended(submission.call, end);
    this.#journal.sighted(submission.call, submission.executionId, data["status"], "answer");
    return end;
  }

  async submitBatch(all: Wanted[]): Promise<(string | null)[]> {
    const call = this.#journal.invoke("submit");
    const submissions = all.map((wanted) => this.#journal.submission(call, wanted.marker, null));
    const end = await httpCall(batchRequest(this.#target, all));
    this.#journal.ended(call, end);
    const answers = dataOf(end)["executions"];
    for (const [place, submission] of submissions.entries()) {
      const answer: Record<string, unknown> = Array.isArray(answers) ? (answers[place] ?? {}) : {};
      submission.executionId = textOf(answer["executionId"]);
      // Each has an answer of its own.
      if (answer["error"]) submission.call = { ...call, outcome: itemOutcome(answer["error"]) };
    }
    return submissions.map(({ executionId }) => executionId);
  }

  /** Submits and reads the answer's stream, from which it may be left like any other. */
  async submitStream(
    wanted: Wanted,
    take: (event: StreamEvent) => "go on" | "leave",
  ): Promise<Reading | null> {
    const submission = this.#submission(wanted);
    const sent = await send(executeRequest(this.#target, wanted, "stream"));
    if (sent.is !== "answered") return this.#journal.ended(submission.call, sent);
    const { statusCode: status = 0, headers } = sent.response;
    if (status !== 200) {
      sent.response.destroy();
      return this.#journal.ended(submission.call, { is: "answered", status, headers, body: null });
    }
    const events: StreamEvent[] = [];
    const ended = await readEventStream(sent.response, (event) => {
      submission.executionId ??= textOf(JSON.parse(event.data)["executionId"]);
      events.push(event);
      return take(event);
    });
    submission.call.answeredAt = performance.now();
    submission.call.outcome =
      events.length > 0 ? { is: "ok", status } : { is: "unknown", why: "a stream without an event" };
    const { executionId } = submission;
    return executionId === null
      ? null
      : this.#journal.read(submission.call, { executionId, after: null, events, ended });
  }

  /** Null where it could not be opened. */
  async follow(
    executionId: string,
    after: string | null,
    take: (event: StreamEvent) => "go on" | "leave",
  ): Promise<Reading | null> {
    const call = this.#journal.invoke("follow");
    const resume: Record<string, string> = after === null ? {} : { "last-event-id": after };
    const sent = await send(
      requestOf(this.#target, "GET", `/api/v1/executions/${executionId}/events`, undefined, resume),
    );
    if (sent.is !== "answered") return this.#journal.ended(call, sent);
    const { statusCode: status = 0, headers } = sent.response;
    this.#journal.ended(call, { is: "answered", status, headers, body: null });
    if (status !== 200) {
      sent.response.destroy();
      return status === 204 ? { executionId, after, events: [], ended: "closed" } : null;
    }
    const events: StreamEvent[] = [];
    const ended = await readEventStream(sent.response, (event) => {
      events.push(event);
      return take(event);
    });
    return this.#journal.read(call, { executionId, after, events, ended });
  }

  /** The status, or null where none was told. */
  async read(executionId: string, by: "read" | "final read" = "read"): Promise<string | null> {
    const call = this.#journal.invoke("read");
    const end = await httpCall(requestOf(this.#target, "GET", `/api/v1/executions/${executionId}`));
    this.#journal.ended(call, end);
    const status = textOf(dataOf(end)["status"]);
    this.#journal.sighted(call, executionId, status, by);
    return status;
  }

  async cancel(executionId: string): Promise<void> {
    const call = this.#journal.cancel(executionId);
    const end = await httpCall(requestOf(this.#target, "POST", `/api/v1/executions/${executionId}/cancel`));
    this.#journal.ended(call, end);
    this.#journal.sighted(call, executionId, dataOf(end)["status"], "cancel");
  }

  /** A call that is no part of the history. */
  ask(method: "GET" | "POST", path: string, body?: unknown): Promise<HttpEnd> {
    return httpCall(requestOf(this.#target, method, path, body));
  }

  #submission({ marker, key }: Wanted): Submission {
    return this.#journal.submission(this.#journal.invoke("submit"), marker, key ?? null);
  }
}

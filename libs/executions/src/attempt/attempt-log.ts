import {
  HOLDER_FIRST_EVENT,
  type AttemptKey,
  type Clock,
  type EventStream,
  type ExecutionEvent,
  type Json,
  type JsonText,
  type LogLevel,
} from "@bulkhead/core";
import type { LateClaim } from "./late-claim.ts";
import type { Report } from "../end/report.ts";

export interface AttemptLogDeps {
  stream: Pick<EventStream, "append">;
  clock: Clock;
  report: Report;
}

/** One thing that the holder of an attempt tells of its run. */
export type Said =
  | { type: "execution.started" }
  | { type: "execution.log"; level: LogLevel; text: string }
  | { type: "execution.progress"; value: Json | JsonText };

/** One thing with the time at which it was said. */
export interface SaidAt {
  said: Said;
  at: Date;
}

/**
 * How long the start of a run may wait for company: longer than a short run takes under load, shorter than anyone
 * notices. Milliseconds.
 */
const START_HELD_MS = 50;

/** A claim that is still to be made; before it nothing is told. */
type OpenClaim = Pick<LateClaim, "isHeld" | "make" | "settled">;

/**
 * Tells the followers of one attempt what its holder says, numbered in order. The stream is a view: a failure to tell
 * stops no run.
 */
export class AttemptLog {
  readonly #deps: AttemptLogDeps;
  readonly #attempt: AttemptKey;
  #n = HOLDER_FIRST_EVENT;
  #reported = false;
  #unsent: ExecutionEvent[] = [];
  #told = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  readonly #claim: OpenClaim | null;
  #hasStarted = false;
  #isEnding = false;
  #isThrownAway = false;

  constructor(deps: AttemptLogDeps, attempt: AttemptKey, claim: OpenClaim | null = null) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#claim = claim;
    void claim?.settled.then((isHeld) => this.#onSettled(isHeld));
  }

  /** The id for the attempt's last event; nothing is said after it was asked for. */
  endEventId(): string {
    this.#isEnding = true;
    return this.#nextId();
  }

  /** Tells that the tool runs; one that is run again in the same attempt has begun already. */
  started(): void {
    if (!this.#hasStarted) this.say({ type: "execution.started" });
    this.#hasStarted = true;
  }

  /** Tells what is said now. */
  say(said: Said): void {
    this.sayAll([{ said, at: this.#deps.clock() }]);
  }

  /**
   * Tells, in one go, what was said at these times. The start, and all that an unclaimed run says, is told with what comes
   * next, if that comes at once: most runs are over before anybody could look.
   */
  sayAll(all: readonly SaidAt[]): void {
    if (this.#isThrownAway) return;
    // Thousands of lines may be of one moment.
    let lastAt: Date | undefined;
    let atText = "";
    for (const { said, at } of all) {
      if (at !== lastAt) atText = at.toISOString();
      lastAt = at;
      this.#unsent.push(this.#eventOf(said, this.#nextId(), atText));
    }
    if (this.#isHeld && all.some(({ said }) => said.type !== "execution.started")) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flushHeld(), START_HELD_MS);
  }

  /** Takes the next number for an event that is told later; it must be told, since followers take a hole for a loss. */
  numberAhead(): (said: Said) => ExecutionEvent {
    const id = this.#nextId();
    return (said) => this.#eventOf(said, id, this.#deps.clock().toISOString());
  }

  #eventOf(said: Said, id: string, at: string): ExecutionEvent {
    const { executionId, attempt } = this.#attempt;
    return { ...said, id, executionId, attempt, at };
  }

  /** Sends an event that was numbered by its maker, after all that was said. */
  send(event: ExecutionEvent): void {
    this.#unsent.push(event);
    this.#flush();
  }

  /** Resolves once all that was said before is in the stream, or could not be put there; never rejects. */
  told(): Promise<void> {
    this.#flush();
    return this.#told;
  }

  get #isHeld(): boolean {
    return this.#claim === null || this.#claim.isHeld;
  }

  #flushHeld(): void {
    if (this.#isHeld) this.#flush();
    else void this.#claim?.make();
  }

  /**
   * Tells at once what was said before the claim, unless the end takes it along; tells nothing of a run that is to be
   * thrown away.
   */
  #onSettled(isHeld: boolean): void {
    this.#isThrownAway = !isHeld;
    if (!isHeld) this.#unsent = [];
    else if (!this.#isEnding) this.#flush();
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    clearTimeout(this.#timer);
    const events = this.#unsent;
    this.#unsent = [];
    const telling = this.#deps.stream.append(this.#attempt.tenantId, events).catch((error: unknown) => {
      // One report for an attempt: a stream that is away would fail for every line.
      if (!this.#reported) this.#deps.report("appending to an execution's stream failed", error);
      this.#reported = true;
    });
    this.#told = this.#told.then(async () => void (await telling));
  }

  #nextId(): string {
    const id = `${this.#attempt.attempt}-${this.#n}`;
    this.#n += 1;
    return id;
  }
}

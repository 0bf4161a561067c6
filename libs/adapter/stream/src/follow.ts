import {
  EVENT_ID,
  compareEventIds,
  endEventOf,
  isEndEvent,
  type ExecutionEvent,
  type ExecutionKey,
  type FindExecution,
  type StreamGap,
  type TerminalEvent,
} from "@bulkhead/domain";
import { setTimeout as delay } from "node:timers/promises";
import { LiveBuffer } from "./live-buffer.ts";
import { channelOf } from "./names.ts";
import type { LogPage } from "./read-log.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Before every event. */
const BEGINNING = "0-0";
/** How soon the row is asked again for a terminal event's execution where it could not be read; milliseconds. */
const ROW_RETRY_MS = 1_000;
/** How long the last events of an execution may be on their way into the log after its row has ended; milliseconds. */
const END_GRACE_MS = 500;

export interface FollowDeps {
  subscriptions: Pick<Subscriptions, "subscribe">;
  /** Rejects when Redis is away. */
  readLog: (key: ExecutionKey, cursor: string) => Promise<LogPage>;
  findExecution: FindExecution;
  checkMs: number;
  onError: (error: unknown) => void;
}

type Said = ExecutionEvent | StreamGap;

/** As `EventStream.follow` says. Neither Redis nor the row being away ends it: it goes on when they are back. */
export async function* follow(
  deps: FollowDeps,
  key: ExecutionKey,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<Said, void, undefined> {
  if (signal.aborted) return;
  const live = new LiveBuffer();
  const subscription = deps.subscriptions.subscribe(channelOf(key), live);
  // Also when nobody pulls any more, and so nothing below would run.
  const stop = (): void => {
    subscription.close();
    live.wake();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    await subscription.ready;
    yield* new Follower(deps, key, live, signal).say(after !== null && EVENT_ID.test(after) ? after : null);
  } finally {
    signal.removeEventListener("abort", stop);
    subscription.close();
  }
}

class Follower {
  readonly #deps: FollowDeps;
  readonly #key: ExecutionKey;
  readonly #live: LiveBuffer;
  readonly #signal: AbortSignal;
  #cursor = BEGINNING;
  // The resume point, until it is found in the log or said to be gone.
  #resumingAfter: string | null = null;
  // "ending": the row has ended, and the log is looked at once more before that is said.
  #state: "following" | "ending" | "ended" = "following";

  constructor(deps: FollowDeps, key: ExecutionKey, live: LiveBuffer, signal: AbortSignal) {
    this.#deps = deps;
    this.#key = key;
    this.#live = live;
    this.#signal = signal;
  }

  async *say(after: string | null): AsyncGenerator<Said, void, undefined> {
    this.#cursor = after ?? BEGINNING;
    this.#resumingAfter = after;
    while (this.#goesOn()) {
      const doubt = this.#live.takeDoubt();
      if (doubt !== "none") {
        yield* this.#sayLog(doubt);
        continue;
      }
      const event = this.#live.shift(this.#cursor);
      if (event !== null) yield* this.#say(event);
      else if (!(await this.#live.wait(this.#deps.checkMs))) this.#live.doubt("row");
    }
  }

  #goesOn(): boolean {
    return this.#state !== "ended" && !this.#signal.aborted;
  }

  async *#sayLog(doubt: "log" | "row"): AsyncGenerator<Said, void, undefined> {
    const page = await this.#deps.readLog(this.#key, this.#cursor).catch(this.#deps.onError);
    if (page?.holdsCursor) this.#resumingAfter = null;
    // The log was trimmed beyond where this follower stands: it was too slow, and is told so.
    const fellBehind = page && page.cut !== null && compareEventIds(page.cut, this.#cursor) > 0;
    if (fellBehind && this.#cursor !== BEGINNING) this.#resumingAfter = this.#cursor;
    if (page && page.events.length > 0) {
      for (const event of page.events) {
        if (!this.#goesOn()) return;
        yield* this.#say(event);
      }
      if (this.#state === "ending") this.#live.doubt("row");
      else if (page.more) this.#live.doubt("log");
      return;
    }
    if (doubt === "row" || !page) yield* this.#sayRow(page ?? null);
    if (page || !this.#goesOn()) return;
    // Redis is away, so nothing is heard either: the next look is due when it is back, or after a while.
    await this.#live.wait(this.#deps.checkMs);
    this.#live.doubt("row");
  }

  /** The log, if there is one, has nothing more: if the execution has ended nevertheless, its row tells how. */
  async *#sayRow(page: LogPage | null): AsyncGenerator<Said, void, undefined> {
    const row = await this.#findRow();
    if (row === "unknown") return;
    const end = row && endEventOf(row);
    if (end && page && this.#state === "following" && compareEventIds(end.id, this.#cursor) > 0) {
      // Between the look at the log and the look at the row the last events may have come, or may be about to.
      this.#state = "ending";
      if (page.holdsCursor) await this.#live.wait(END_GRACE_MS);
      this.#live.doubt("row");
      return;
    }
    if (end && compareEventIds(end.id, this.#cursor) > 0) yield* this.#say(end);
    // Ended at or before the cursor, or there is no such execution (under this tenant).
    if (end || row === null) this.#state = "ended";
  }

  async *#say(event: ExecutionEvent): AsyncGenerator<Said, void, undefined> {
    const whole = isEndEvent(event) ? await this.#complete(event) : event;
    if (whole === null || isEndEvent(whole)) this.#state = "ended";
    if (whole === null) return;
    if (this.#resumingAfter !== null) {
      yield { type: "execution.gap", from: this.#resumingAfter, to: whole.id };
      this.#resumingAfter = null;
    }
    this.#cursor = whole.id;
    yield whole;
  }

  /** Null when the row is gone too, or nobody follows any more. */
  async #complete(event: TerminalEvent): Promise<TerminalEvent | null> {
    if (event.execution) return event;
    while (!this.#signal.aborted) {
      const row = await this.#findRow();
      if (row === null) return null;
      if (row !== "unknown" && endEventOf(row)) return { ...event, execution: row };
      await delay(ROW_RETRY_MS, undefined, { signal: this.#signal }).catch(() => undefined);
    }
    return null;
  }

  async #findRow(): Promise<Awaited<ReturnType<FindExecution>> | "unknown"> {
    try {
      return await this.#deps.findExecution(this.#key);
    } catch (error) {
      this.#deps.onError(error);
      return "unknown";
    }
  }
}

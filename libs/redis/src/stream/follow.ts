import {
  AWAITING_EVENT_ID,
  EVENT_ID,
  compareEventIds,
  isEndEvent,
  type ExecutionEvent,
  type ExecutionKey,
  type StreamGap,
  type TerminalEvent,
} from "@bulkhead/core";
import type { TenantPermits } from "@bulkhead/process";
import {
  beginsLater,
  isAtFirst,
  isHeldBy,
  mayBeToldByRow,
  mayPrecedeAll,
  queuedEvent,
  resumePointOf,
} from "./first-event.ts";
import { LiveBuffer } from "./live-buffer.ts";
import { channelOf } from "./names.ts";
import { completeEnd, findEnd, hasWaited, type FoundEnd, type ReadEndDeps } from "./read-end.ts";
import type { LogPage } from "./read-log.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Before every event. */
const BEGINNING = "0-0";
/** How long the last events of an execution may be on their way into the log after its row has ended; milliseconds. */
const END_GRACE_MS = 5_000;
/** How long a log that is alive is waited for at least: the row's clock is another machine's, and may be behind. */
const ALIVE_GRACE_MS = 500;

export interface FollowDeps extends ReadEndDeps {
  subscriptions: Pick<Subscriptions, "subscribe">;
  /** Rejects when Redis is away. */
  readLog: (key: ExecutionKey, cursor: string) => Promise<LogPage>;
  /** The same for the kept log. Rejects when the database is away. */
  readKept: (key: ExecutionKey, cursor: string) => Promise<LogPage>;
  keptReads: Pick<TenantPermits, "take">;
  largeEnds: Pick<TenantPermits, "take">;
  checkMs: number;
  /** Redis is away. */
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
  // Runs also if the consumer has stopped pulling, and so nothing below would.
  const stop = (): void => {
    subscription.close();
    live.wake();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    await subscription.ready;
    yield* new Follower(deps, key, live, signal).say(await resumePoint(deps, key, after));
  } finally {
    signal.removeEventListener("abort", stop);
    subscription.close();
  }
}

/** An invalid id counts as none, and an id before the first event as the beginning. */
async function resumePoint(
  deps: ReadEndDeps,
  key: ExecutionKey,
  after: string | null,
): Promise<string | null> {
  if (after === null || !EVENT_ID.test(after)) return null;
  return mayPrecedeAll(after) ? resumePointOf(after, await hasWaited(deps, key)) : after;
}

class Follower {
  readonly #deps: FollowDeps;
  readonly #key: ExecutionKey;
  readonly #live: LiveBuffer;
  readonly #signal: AbortSignal;
  #cursor = BEGINNING;
  // The resume point, until it is found in the log or reported as a gap.
  #resumingAfter: string | null = null;
  // "ending": the row has ended, and the log is read until then (by `performance.now()`) before the end is yielded.
  #state: { is: "following" | "ended" } | { is: "ending"; end: FoundEnd; until: number } = {
    is: "following",
  };

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
      // The first event comes from the log: only the log shows whether something before it is lost.
      const event = this.#cursor === BEGINNING ? null : this.#live.shift(this.#cursor);
      if (event !== null) yield* this.#say(event);
      else if (!(await this.#live.wait(this.#deps.checkMs))) this.#live.doubt("row");
      else if (this.#cursor === BEGINNING) this.#live.doubt("log");
    }
  }

  #goesOn(): boolean {
    return this.#state.is !== "ended" && !this.#signal.aborted;
  }

  async *#sayLog(doubt: "log" | "row"): AsyncGenerator<Said, void, undefined> {
    const page = await this.#deps.readLog(this.#key, this.#cursor).catch(this.#deps.onError);
    if (page) yield* this.#sayPage(page);
    if (page && page.events.length > 0) {
      const mayHaveEnded = doubt === "row" && mayBeToldByRow(this.#cursor);
      if (this.#state.is === "ending" || mayHaveEnded) this.#live.doubt("row");
      else if (page.more) this.#live.doubt("log");
      return;
    }
    if (doubt === "row" || this.#state.is === "ending" || !page) yield* this.#sayRow(page ?? null);
    if (page || !this.#goesOn()) return;
    // Redis is away, so nothing is heard either: the next look is due when it is back, or after a while.
    await this.#live.wait(this.#deps.checkMs);
    this.#live.doubt("row");
  }

  async *#sayPage(page: LogPage): AsyncGenerator<Said, void, undefined> {
    if (isHeldBy(page, this.#cursor)) this.#resumingAfter = null;
    if (page.events.length === 0) return;
    if (this.#cursor === BEGINNING && beginsLater(page)) yield* this.#sayWhole(queuedEvent(this.#key));
    // The log was trimmed beyond this follower's position: it was too slow, or came late, and gets a gap.
    if (page.cut !== null && compareEventIds(page.cut, this.#cursor) > 0) this.#resumingAfter = this.#cursor;
    for (const event of page.events) {
      if (!this.#goesOn()) return;
      yield* this.#say(event);
    }
  }

  /** The log, if there is one, has nothing more: if the execution has ended nevertheless, its row tells how. */
  async *#sayRow(page: LogPage | null): AsyncGenerator<Said, void, undefined> {
    const end = this.#state.is === "ending" ? this.#state.end : await findEnd(this.#deps, this.#key);
    if (end === "queued or running" && this.#cursor === BEGINNING)
      yield* this.#sayWhole(queuedEvent(this.#key));
    if (typeof end === "string" && end !== "missing") return;
    if (end === "missing" || compareEventIds(end.event.id, this.#cursor) <= 0) {
      this.#state = { is: "ended" };
      return;
    }
    if (end.before !== null) {
      yield* this.#sayByRow(end, end.before);
      return;
    }
    // Between the look at the log and the look at the row the last events may have come, or may be about to.
    if (page && (await this.#awaitsMore(page, end))) {
      this.#live.doubt("row");
      return;
    }
    if (yield* this.#sayKept()) yield* this.#sayUnlogged(end);
  }

  /** Yields the events that outlived the log. False if they can't be read at present, or the follower has left. */
  async *#sayKept(): AsyncGenerator<Said, boolean, undefined> {
    for (;;) {
      const giveBack = await this.#deps.keptReads.take(this.#key.tenantId, this.#signal);
      if (giveBack === null) return false;
      const page = await this.#deps
        .readKept(this.#key, this.#cursor)
        .catch(this.#deps.onRowError)
        .finally(giveBack);
      if (!page) {
        await this.#live.wait(this.#deps.checkMs);
        this.#live.doubt("row");
        return false;
      }
      yield* this.#sayPage(page);
      if (!this.#goesOn()) return false;
      if (page.events.length === 0) return true;
    }
  }

  /** All of the first attempt, from behind the cursor; of a wait for a person before it the log alone tells. */
  async *#sayByRow({ event: end, waited }: FoundEnd, before: ExecutionEvent[]): AsyncGenerator<Said, void> {
    const queued = queuedEvent(this.#key);
    const from = before.length === 0 ? AWAITING_EVENT_ID : queued.id;
    const isLost = waited && compareEventIds(this.#cursor, from) < 0;
    this.#resumingAfter = isLost ? this.#cursor : null;
    for (const event of waited ? before : [queued, ...before])
      if (compareEventIds(event.id, this.#cursor) > 0) yield* this.#sayWhole(event);
    yield* this.#say(end);
  }

  /** An end that only the row has, and before it the row's facts about a stream from its beginning. */
  async *#sayUnlogged({ event, waited }: FoundEnd): AsyncGenerator<Said, void, undefined> {
    if (this.#cursor === BEGINNING && waited) this.#resumingAfter = BEGINNING;
    else if (this.#cursor === BEGINNING) yield* this.#sayWhole(queuedEvent(this.#key));
    if (isAtFirst(this.#cursor)) this.#resumingAfter ??= this.#cursor;
    yield* this.#say(event);
  }

  /** Waits until something is heard, or for as long as events may come; false when the log was looked at after that. */
  async #awaitsMore(page: LogPage, end: FoundEnd): Promise<boolean> {
    const known = this.#state.is === "ending" ? this.#state.until : null;
    const until = known ?? performance.now() + graceOf(end.event, isHeldBy(page, this.#cursor));
    this.#state = { is: "ending", end, until };
    const leftMs = until - performance.now();
    if (leftMs > 0) await this.#live.wait(leftMs);
    return known === null || leftMs > 0;
  }

  async *#say(event: ExecutionEvent): AsyncGenerator<Said, void, undefined> {
    if (isEndEvent(event)) this.#state = { is: "ended" };
    if (isEndEvent(event) && !event.execution) yield* this.#sayLargeEnd(event);
    else yield* this.#sayWhole(event);
  }

  /** Its permit lasts from before the row is read until the reader has taken the event or was cut off. */
  async *#sayLargeEnd(end: TerminalEvent): AsyncGenerator<Said, void, undefined> {
    const giveBack = await this.#deps.largeEnds.take(this.#key.tenantId, this.#signal);
    if (giveBack === null) return;
    try {
      const whole = await completeEnd(this.#deps, this.#key, end, this.#signal);
      if (whole === null || this.#signal.aborted) return;
      // Gives it back also when the consumer has stopped pulling, but not before the row is read.
      this.#signal.addEventListener("abort", giveBack, { once: true });
      yield* this.#sayWhole(whole);
    } finally {
      this.#signal.removeEventListener("abort", giveBack);
      giveBack();
    }
  }

  async *#sayWhole(event: ExecutionEvent): AsyncGenerator<Said, void, undefined> {
    // Events that the holder numbered may have never reached Redis, or been lost there.
    if (leavesOut(this.#cursor, event.id)) this.#resumingAfter ??= this.#cursor;
    if (this.#resumingAfter !== null) {
      yield { type: "execution.gap", from: this.#resumingAfter, to: event.id };
      this.#resumingAfter = null;
    }
    this.#cursor = event.id;
    yield event;
  }
}

/** How long events may still come before this end; 0 where it lies back and the log is gone. */
function graceOf({ at }: TerminalEvent, alive: boolean): number {
  const freshMs = Math.min(END_GRACE_MS, Date.parse(at) + END_GRACE_MS - Date.now());
  return Math.max(freshMs, alive ? ALIVE_GRACE_MS : 0);
}

/** Whether there were events of the same attempt between these two: their numbers have no holes. */
function leavesOut(before: string, id: string): boolean {
  const [attemptBefore, nBefore = 0] = before.split("-").map(Number);
  const [attempt, n = 0] = id.split("-").map(Number);
  return attempt === attemptBefore && n > nBefore + 1;
}

import { compareEventIds, isEndEvent, type ExecutionEvent } from "@bulkhead/core";
import { decodeMessage, type LiveMessage } from "./event-codec.ts";
import { LIVE_BYTES_MAX, LIVE_MESSAGES_MAX } from "./names.ts";
import type { ChannelListener } from "./subscriptions.ts";

/**
 * Messages alone leave this open for a follower: nothing; whether the log has more; whether the log itself is complete.
 */
export type Doubt = "none" | "log" | "row";

/**
 * Holds live events until the follower pulls, within bounds. Beyond them, and whenever a message may be missing, it only
 * keeps a doubt: the log has all of them.
 */
export class LiveBuffer implements ChannelListener {
  #messages: string[] = [];
  #bytes = 0;
  #open: LiveMessage | null = null;
  #doubt: Doubt = "row";
  #wake: (woken: boolean) => void = () => undefined;

  onMessage(text: string): void {
    // The log will be read anyway.
    if (this.#doubt !== "none") return;
    this.#messages.push(text);
    this.#bytes += text.length;
    if (this.#messages.length > LIVE_MESSAGES_MAX || this.#bytes > LIVE_BYTES_MAX) this.doubt("log");
    this.#wake(true);
  }

  onRestored(): void {
    this.doubt("row");
  }

  /** Drops the held events: the log must be read again, and for "row", when it has nothing new, the row too. */
  doubt(doubt: "log" | "row"): void {
    this.#messages = [];
    this.#bytes = 0;
    this.#open = null;
    if (this.#doubt !== "row") this.#doubt = doubt;
    this.#wake(true);
  }

  /** To be called right before the log is read: from here on messages are held again. */
  takeDoubt(): Doubt {
    const doubt = this.#doubt;
    this.#doubt = "none";
    return doubt;
  }

  /** The next event behind `cursor`; null when there is none, or when one in between is missing: then there is a doubt. */
  shift(cursor: string): ExecutionEvent | null {
    for (;;) {
      if (this.#open === null) {
        const text = this.#messages.shift();
        if (text === undefined) return null;
        this.#bytes -= text.length;
        this.#open = decodeMessage(text);
      }
      if (this.#open === null || compareEventIds(this.#open.after, cursor) > 0) {
        // No log may hold an end, and nothing comes after it.
        this.doubt(this.#open?.events.some(isEndEvent) ? "row" : "log");
        return null;
      }
      const event = this.#open.events.shift();
      if (event === undefined) this.#open = null;
      else if (compareEventIds(event.id, cursor) > 0) {
        this.#open.after = event.id;
        return event;
      }
    }
  }

  /** Waits for a message or a doubt; false when none came within `ms`. */
  async wait(ms: number): Promise<boolean> {
    if (this.#open !== null || this.#messages.length > 0 || this.#doubt !== "none") return true;
    let timer: NodeJS.Timeout | undefined;
    const woken = await new Promise<boolean>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(() => resolve(false), ms);
    });
    clearTimeout(timer);
    return woken;
  }

  /** Ends a wait. */
  wake(): void {
    this.#wake(true);
  }
}

import type { McpTimes, Timings } from "@bulkhead/core";

/** Measures the steps of one call, one after another, in milliseconds with two decimals. */
export class Stopwatch {
  readonly timings: Timings = {};
  #last = performance.now();

  /** Ends a step and begins the next. */
  lap(step: string): void {
    const now = performance.now();
    this.timings[step] = roundMs(now - this.#last);
    this.#last = now;
  }
}

export const roundMs = (ms: number): number => Math.round(ms * 100) / 100;

/** What a call of somebody's server spent on getting a connection and on being answered; nothing of another run. */
export const serverTimings = ({ times }: { times?: McpTimes }): Timings =>
  times ? { connect: roundMs(times.connectMs), call: roundMs(times.callMs) } : {};

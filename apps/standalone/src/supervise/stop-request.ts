import type { EventEmitter } from "node:events";

export interface StopRequest {
  /** Resolves with the signal at the first SIGINT, SIGTERM or SIGHUP. */
  readonly first: Promise<NodeJS.Signals>;
}

/**
 * npm passes Ctrl-C on to us, and the terminal sends it to us as well: a signal this soon after the first is the same
 * press of the keys.
 */
const SAME_PRESS_MS = 500;
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Listens for the request to stop; a second Ctrl-C calls `atOnce`. */
export function listenForStop(source: EventEmitter, now: () => number, atOnce: () => void): StopRequest {
  let firstAt: number | null = null;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of SIGNALS) {
      source.on(signal, () => {
        if (firstAt === null) {
          firstAt = now();
          resolve(signal);
        } else if (signal === "SIGINT" && now() - firstAt > SAME_PRESS_MS) {
          atOnce();
        }
      });
    }
  });
  return { first };
}

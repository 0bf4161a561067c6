import { Fault, type FaultCode } from "@bulkhead/core";

/**
 * How often a change is tried while others keep changing the state. Changes within one process wait for each other
 * (`changeInTurn`), so the rivals are other processes. Each lost try is lost to a change that succeeded: up to so many
 * concurrent writers all succeed, however slow they are, and of more nearly all, since pauses part them.
 */
export const CHANGE_TRIES_MAX = 20;

/**
 * The longest pause before the second try, its growth with every further one, and its bound. All pauses together: 2.6 s at
 * most, half of it on average; meanwhile the caller's key counts as it was.
 */
const PAUSE_MS = 10;
const PAUSE_GROWTH = 1.45;
const PAUSE_MS_MAX = 200;
const RETRY_AFTER_SECONDS = 1;

/** The fault of a change that lost against another one, if its caller named no state. */
const LOST: ReadonlySet<FaultCode> = new Set(["tool.changed", "config_service.changed"]);

/**
 * Does the work, and all of it again if it lost against another change: `work` reads, decides and stores, so that each try
 * decides anew, and nothing is stored for a state that was not read. It must have stored nothing when it throws one of
 * `LOST`, and throws another fault if the caller named a state (`If-Match`): then one look decides. Throws the error of
 * the last of `triesMax` tries, with `Retry-After`.
 */
export async function repeatLostChange<T>(
  work: () => Promise<T>,
  { triesMax = CHANGE_TRIES_MAX, pauseMs = PAUSE_MS } = {},
  tries = 1,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault) || !LOST.has(error.code)) throw error;
    if (tries >= triesMax) throw lostTooOften(error, triesMax);
  }
  await unevenPause(pauseMs);
  return repeatLostChange(
    work,
    { triesMax, pauseMs: Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MS_MAX) },
    tries + 1,
  );
}

/** Waits a random time from 0 on: rivals that collided come back one after another. */
const unevenPause = (longestMs: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, Math.random() * longestMs));

const lostTooOften = (cause: Fault, tries: number): Fault =>
  new Fault(cause.code, {
    detail: `Others made changes at the same moment, each of the ${tries} times that this one was tried; nothing of it was stored. Send it again.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });

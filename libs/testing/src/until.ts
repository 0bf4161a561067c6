import { setTimeout as delay } from "node:timers/promises";

export interface UntilOptions {
  /** 30 s when unset: a machine that does much else at a time needs them. */
  timeoutMs?: number;
  /** The fact in words, for the failure: "the worker is ready". */
  what: string;
}

/** Between two looks: a tenth of the time that was waited so far. A look costs time of the processors that is waited for. */
const POLL_MS = { min: 20, max: 100 };
const POLL_SHARE = 0.1;
const TIMEOUT_MS = 30_000;

/**
 * Waits until `fact` yields something truthy and returns it. When the time is up it throws with `what`, the last value,
 * and as `cause` the last error of `fact`, which counts as "not yet".
 */
export async function until<T>(fact: () => T | Promise<T>, options: UntilOptions): Promise<NonNullable<T>> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const begun = performance.now();
  const deadline = begun + timeoutMs;
  for (;;) {
    const seen = await attempt(fact);
    if ("value" in seen && seen.value) return seen.value;
    if (performance.now() >= deadline) {
      const last = "value" in seen ? `last seen: ${String(seen.value)}` : `last error: ${String(seen.error)}`;
      throw new Error(`within ${timeoutMs} ms this did not become true: ${options.what} (${last})`, {
        cause: "error" in seen ? seen.error : undefined,
      });
    }
    const waited = performance.now() - begun;
    await delay(Math.min(POLL_MS.max, Math.max(POLL_MS.min, waited * POLL_SHARE)));
  }
}

async function attempt<T>(fact: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await fact() };
  } catch (error) {
    return { error };
  }
}

import { BulkheadError } from "../errors.ts";

const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 8_000;
/** Callers who were told the same moment come at least over so many milliseconds. */
const SPREAD_MS_MIN = 50;
/** Who asks for a longer wait than this gets the call back, to be made later. */
const RETRY_AFTER_MS_MAX = 60_000;

export interface RetryPlan {
  /** How often it is tried again. */
  retries: number;
  /** Whether doing it twice is as good as once; if not, only a call that was refused is made again. */
  isRepeatable: boolean;
  signal: AbortSignal | undefined;
}

/** Tries until it succeeds, is refused for good, or was tried often enough; rejects as the last try did. */
export async function retrying<T>(
  tryOnce: () => Promise<T>,
  { retries, isRepeatable, signal }: RetryPlan,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await tryOnce();
    } catch (error) {
      if (!(error instanceof BulkheadError) || !error.retryable || failures >= retries) throw error;
      if (!isRepeatable && !wasRefused(error)) throw error;
      const { retryAfterMs } = error;
      if (retryAfterMs !== undefined && retryAfterMs > RETRY_AFTER_MS_MAX) throw error;
      await sleep(pauseMs(failures, retryAfterMs), signal);
    }
  }
}

/** Whether the API says that it did nothing. */
const wasRefused = ({ status }: BulkheadError): boolean => status >= 400 && status < 500;

/**
 * Milliseconds before the next try: what the API asks for, else longer with each failure; never the same for two callers.
 * Who asks for little again and again gets more.
 */
export function pauseMs(failures: number, askedMs: number | undefined): number {
  const backoff = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** failures) * (0.5 + Math.random() / 2);
  if (askedMs === undefined) return backoff;
  const asked = askedMs + Math.random() * Math.max(SPREAD_MS_MIN, askedMs / 10);
  return failures === 0 ? asked : Math.max(asked, backoff);
}

/** Rejects with the signal's reason if that fires first. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let end = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      const stop = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", stop);
      end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      };
    });
  } finally {
    end();
  }
}

/** `Retry-After` in milliseconds, which is in seconds or a date; undefined for anything else. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

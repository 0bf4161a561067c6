import type { ExecuteBatchAnswer, ExecuteBatchBody } from "./generated/types.ts";
import type { Operations } from "./generated/operations.ts";
import { sleep } from "./http/retry.ts";
import { newKey } from "./http/transport.ts";
import { RETRIES_DEFAULT, type CallOptions } from "./options.ts";

/** Calls that one request may hold. */
const CALLS_MAX = 1_000;
/** Bytes of calls in one request, within what the API takes as a body. */
const BYTES_MAX = 2 * 1024 * 1024 - 64 * 1024;
const CONCURRENCY_DEFAULT = 2;
/** Where a refusal doesn't say when to come again; milliseconds. */
const COME_AGAIN_MS = 1_000;

export type BatchCall = ExecuteBatchBody["executions"][number];
export type BatchAnswer = ExecuteBatchAnswer["executions"][number];

export interface BatchProgress {
  /** Calls that were accepted so far. */
  accepted: number;
  /** Calls that were refused for good so far. */
  refused: number;
  total: number;
}

export interface BatchOptions extends CallOptions {
  /** Requests that go on at one time; 2 unless set. */
  concurrency?: number | undefined;
  /** Is told after every request. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
}

interface Part {
  start: number;
  calls: BatchCall[];
}

/**
 * Hands in any number of calls, in requests of up to 1,000, and gives one answer for each, in order. A request of which some
 * calls found no room is sent again with its Idempotency-Key, so that only those are tried again.
 */
export async function runBatch(
  executions: Pick<Operations["executions"], "batch">,
  calls: readonly BatchCall[],
  options: BatchOptions,
): Promise<BatchAnswer[]> {
  const { concurrency = CONCURRENCY_DEFAULT, onProgress, ...call } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError("concurrency must be a whole number from 1 on");
  const parts = split(calls);
  const answers: BatchAnswer[] = Array.from({ length: calls.length });
  const progress: BatchProgress = { accepted: 0, refused: 0, total: calls.length };
  // What one part meets ends the others.
  const failing = new AbortController();
  const leave = (): void => failing.abort(call.signal?.reason);
  if (call.signal?.aborted) leave();
  call.signal?.addEventListener("abort", leave);
  const work = async (): Promise<void> => {
    for (let part = parts.shift(); part; part = parts.shift()) {
      const answered = await sendPart(executions, part.calls, { ...call, signal: failing.signal });
      for (const [at, answer] of answered.entries()) {
        answers[part.start + at] = answer;
        progress["error" in answer ? "refused" : "accepted"] += 1;
      }
      onProgress?.({ ...progress });
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
    return answers;
  } finally {
    call.signal?.removeEventListener("abort", leave);
    failing.abort();
  }
}

async function sendPart(
  executions: Pick<Operations["executions"], "batch">,
  calls: BatchCall[],
  options: CallOptions,
): Promise<BatchAnswer[]> {
  const { retries = RETRIES_DEFAULT, signal } = options;
  const idempotencyKey = newKey();
  for (let tries = 0; ; tries += 1) {
    const { executions: answers } = await executions.batch(
      { executions: calls },
      { ...options, idempotencyKey },
    );
    const waits = answers.flatMap((answer) =>
      "error" in answer && answer.error.retryable ? [(answer.error.retryAfterSeconds ?? 0) * 1_000] : [],
    );
    if (waits.length === 0 || tries >= retries) return answers;
    await sleep(Math.max(COME_AGAIN_MS, ...waits), signal);
  }
}

/** Parts that one request may hold each, by number and by bytes. */
function split(calls: readonly BatchCall[]): Part[] {
  const parts: Part[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [at, call] of calls.entries()) {
    const size = encoder.encode(JSON.stringify(call)).byteLength + 1;
    const last = parts.at(-1);
    if (last && last.calls.length < CALLS_MAX && bytes + size <= BYTES_MAX) {
      last.calls.push(call);
      bytes += size;
    } else {
      parts.push({ start: at, calls: [call] });
      bytes = size;
    }
  }
  return parts;
}

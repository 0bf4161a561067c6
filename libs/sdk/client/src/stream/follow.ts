import { BulkheadError } from "../errors.ts";
import { compareEventIds, isEnd } from "../events.ts";
import { readStream } from "../http/answer.ts";
import { pauseMs, sleep } from "../http/retry.ts";
import type { Call, Transport } from "../http/transport.ts";
import { FOLLOW_RETRIES_DEFAULT, type AnyOptions } from "../options.ts";
import { readFrames } from "./sse.ts";

/** A stream says at least every 15 s that it is alive; after so many milliseconds of silence it is opened anew. */
const SILENCE_MS_MAX = 45_000;

export interface Told {
  event: string;
  id?: string;
  data: unknown;
}

/** Where a stream is opened: from behind which event, and what ends the connection. */
export interface From {
  lastEventId: string | undefined;
  signal: AbortSignal;
}

/** The body of a stream of events; null where there are no more of them. Does not try again by itself. */
export const openEvents = (
  transport: Transport,
  call: Call,
  { lastEventId, signal }: From,
): Promise<ReadableStream<Uint8Array> | null> =>
  transport.tryOnce(
    { ...call, accept: "text/event-stream", isOpen: true, options: { ...call.options, lastEventId, signal } },
    async (response) => (response.status === 204 ? null : await readStream(response)),
  );

/**
 * Events as they come, each once, until the last one. A connection that breaks, falls silent or can't be had is opened again
 * from behind the last event; rejects when that failed too often in a row, or is refused for good.
 */
export async function* follow(
  open: (from: From) => Promise<ReadableStream<Uint8Array> | null>,
  {
    lastEventId,
    signal,
    retries = FOLLOW_RETRIES_DEFAULT,
    waitsForRoom = true,
  }: Pick<AnyOptions, "lastEventId" | "signal" | "retries" | "waitsForRoom">,
): AsyncGenerator<Told, void, undefined> {
  let last = lastEventId;
  let gap = "";
  let comeBackMs: number | undefined;
  for (let failures = 0; ; failures += 1) {
    const connection = connect(signal);
    let error = broken(undefined);
    try {
      const body = await open({ lastEventId: last, signal: connection.signal });
      if (body === null) return;
      connection.heard();
      for await (const { event, id, data, retryMs } of readFrames(body, connection.heard)) {
        comeBackMs = retryMs ?? comeBackMs;
        // What was told before is not told again.
        if (id !== undefined && last !== undefined && compareEventIds(id, last) <= 0) continue;
        if (id !== undefined) last = id;
        if (event === undefined || data === undefined) continue;
        // A gap has no id, so it is told once more to whoever is cut off behind it.
        if (id === undefined && event.endsWith(".gap")) {
          if (gap === data) continue;
          gap = data;
        }
        failures = 0;
        const told: Told = { event, ...(id !== undefined && { id }), data: parse(data) };
        yield told;
        if (isEnd(told)) return;
      }
    } catch (caught) {
      if (signal?.aborted) throw signal.reason;
      error = caught instanceof BulkheadError ? caught : broken(caught);
      if (!error.retryable || (!waitsForRoom && hasNoRoom(error))) throw error;
    } finally {
      connection.close();
    }
    if (failures >= retries) throw error;
    await sleep(pauseMs(failures, error.retryAfterMs ?? comeBackMs), signal);
  }
}

/** Whether the tenant has as many streams open as it may have. */
export const hasNoRoom = (error: unknown): error is BulkheadError =>
  error instanceof BulkheadError && error.code === "events.too_many_streams";

const broken = (cause: unknown): BulkheadError =>
  new BulkheadError({
    code: "client.unreachable",
    message: "The stream of events broke off before its last event.",
    retryable: true,
    cause,
  });

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new BulkheadError({ code: "client.answer_invalid", message: "An event's data is no JSON.", cause });
  }
}

/** What ends one connection: the caller, or silence. */
function connect(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave);
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), SILENCE_MS_MAX);
    },
    close: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      controller.abort();
    },
  };
}

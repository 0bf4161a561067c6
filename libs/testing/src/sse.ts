import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface SseOptions {
  headers?: Record<string, string>;
  /** Sent as JSON by POST when set, else the stream is asked for by GET. */
  body?: unknown;
  /** How long `next` waits for one more event; 60 s when unset. */
  eventMsMax?: number;
}

export interface SseEvent {
  /** The name of the event, "message" when the server gives none. */
  event: string;
  id: string | null;
  /** Parsed from JSON; every event of ours carries an object, or nothing. */
  data: Record<string, unknown>;
}

/** One open event stream. */
export interface SseReader {
  readonly status: number;
  readonly headers: Headers;
  /** How many comment lines (keep-alives) came so far. */
  comments(): number;
  /** When the server wants a reader that lost its stream to come back; null until it says so. Milliseconds. */
  comeBackMs(): number | null;
  /** The next event, or null once the server has closed the stream. Throws when none comes in time. */
  next(): Promise<SseEvent | null>;
  /** Everything up to the end of the stream. */
  rest(): Promise<SseEvent[]>;
  /** Drops the connection, as a client that goes away does. Safe to call again. */
  close(): Promise<void>;
}

const EVENT_MS_MAX = 60_000;

/** Opens an event stream; throws with status and body when the answer is not one. Close it, or read it to its end. */
export async function openSse(url: string, options: SseOptions = {}): Promise<SseReader> {
  const away = new AbortController();
  const sent = options.body === undefined ? {} : { method: "POST", body: JSON.stringify(options.body) };
  const json = options.body === undefined ? {} : { "content-type": "application/json" };
  const headers = { accept: "text/event-stream", ...json, ...options.headers };
  const response = await fetch(url, { ...sent, headers, signal: away.signal });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream") || response.body === null) {
    throw new Error(`${url} answered ${response.status}, no event stream: ${await response.text()}`);
  }
  return readEvents(response, response.body.getReader(), away, options.eventMsMax ?? EVENT_MS_MAX);
}

function readEvents(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  away: AbortController,
  eventMsMax: number,
): SseReader {
  const waiting: SseEvent[] = [];
  let comments = 0;
  let comeBackMs: number | null = null;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: (message) => waiting.push(toEvent(message)),
    onComment: () => (comments += 1),
    onRetry: (ms) => (comeBackMs = ms),
  });
  const next = async (): Promise<SseEvent | null> => {
    while (waiting.length === 0) {
      const { done, value } = await inTime(reader.read(), eventMsMax);
      if (done) return null;
      parser.feed(decoder.decode(value, { stream: true }));
    }
    return waiting.shift() ?? null;
  };
  return {
    status: response.status,
    headers: response.headers,
    comments: () => comments,
    comeBackMs: () => comeBackMs,
    next,
    rest: async () => {
      const events: SseEvent[] = [];
      for (let event = await next(); event !== null; event = await next()) events.push(event);
      return events;
    },
    close: async () => {
      away.abort();
      // The abort ends the stream on purpose, so its error is expected.
      await reader.cancel().catch(() => undefined);
    },
  };
}

const toEvent = ({ event, id, data }: EventSourceMessage): SseEvent => ({
  event: event ?? "message",
  id: id ?? null,
  data: JSON.parse(data || "{}"),
});

async function inTime<T>(reading: Promise<T>, msMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no event came within ${msMax} ms`)), msMax);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

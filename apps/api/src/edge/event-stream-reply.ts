import { stringifyJson } from "@bulkhead/core";
import type { FastifyReply } from "fastify";
import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** A silent stream says that it is alive this often. */
const KEEP_ALIVE_MS = 15_000;
/** A reader that takes nothing for so long is cut off; it can resume where it stopped. */
const STALLED_READER_MS = 60_000;

/** A reader that lost its stream comes back after so many milliseconds, some later by the spread, so that not all come at once. */
const COME_BACK_MS = 1_000;
const COME_BACK_SPREAD_MS = 1_000;

/** One server-sent event; an id alone tells a reader from where to resume, and nothing else. */
export interface Frame {
  id?: string;
  event?: string;
  data?: unknown;
  /** It has a line for data with nothing in it: readers then take note of the id. */
  isEmpty?: boolean;
  /** The moment at which it happened; it is not sent by itself. */
  at?: string;
}

/**
 * Sends events as server-sent events until they end or the reader goes away. What a slow reader has not taken stays
 * in the log: nothing is pulled while the socket's buffer is full.
 */
export async function sendEventStream<Event>(
  reply: FastifyReply,
  events: AsyncIterable<Event>,
  frameOf: (event: Event) => Frame,
  controller: AbortController,
): Promise<void> {
  const socket = reply.raw;
  reply.hijack();
  socket.once("close", () => controller.abort());
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) socket.setHeader(name, value);
  socket.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // Asks proxies such as nginx not to hold lines back.
    "x-accel-buffering": "no",
  });
  socket.flushHeaders();
  const watched = reply.server.metrics.streams.opened();
  const keepAlive = setInterval(() => socket.writableNeedDrain || socket.write(": alive\n\n"), KEEP_ALIVE_MS);
  try {
    let before = `retry: ${COME_BACK_MS + Math.floor(Math.random() * COME_BACK_SPREAD_MS)}\n`;
    for await (const event of events) {
      const frame = frameOf(event);
      const hasRoom = socket.write(before + textOf(frame));
      before = "";
      watched.wrote(frame.at);
      if (!hasRoom && !(await drained(socket))) break;
    }
    socket.end();
  } catch (error) {
    // The status is long sent: all that is left is to break off, so that the reader resumes.
    reply.log.error({ err: error }, "a stream broke off");
    socket.destroy();
  } finally {
    clearInterval(keepAlive);
    watched.closed();
    controller.abort();
  }
}

function textOf({ id, event, data, isEmpty = false }: Frame): string {
  const lines = [
    id === undefined ? "" : `id: ${id}\n`,
    event === undefined ? "" : `event: ${event}\n`,
    data === undefined ? "" : `data: ${stringifyJson(data)}\n`,
    isEmpty ? "data: \n" : "",
  ];
  return `${lines.join("")}\n`;
}

/** False when the reader took nothing for too long, and is cut off, or went away. */
export async function drained(socket: ServerResponse): Promise<boolean> {
  const bound = new AbortController();
  const timer = setTimeout(() => bound.abort(), STALLED_READER_MS);
  const closed = once(socket, "close", { signal: bound.signal }).then(() => false);
  const drain = once(socket, "drain", { signal: bound.signal }).then(() => true);
  try {
    return await Promise.race([drain, closed]);
  } catch {
    socket.destroy();
    return false;
  } finally {
    clearTimeout(timer);
    bound.abort();
    await Promise.allSettled([drain, closed]);
  }
}

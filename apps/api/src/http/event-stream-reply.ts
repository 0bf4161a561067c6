import type { ExecutionEvent, StreamGap } from "@bulkhead/domain";
import type { FastifyReply } from "fastify";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { presentEvent } from "../present/present-event.ts";

/** How often a silent stream says that it is alive. */
const KEEP_ALIVE_MS = 15_000;
/** How long a reader may take nothing before it is cut off; it can resume where it stopped. */
const STALLED_READER_MS = 60_000;

/**
 * Sends events as server-sent events until they end or the reader goes away. What a slow reader has not taken stays
 * in the log: nothing is pulled while the socket's buffer is full.
 */
export async function sendEventStream(
  reply: FastifyReply,
  events: AsyncIterable<ExecutionEvent | StreamGap>,
  executionId: string,
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
  const keepAlive = setInterval(() => socket.writableNeedDrain || socket.write(": alive\n\n"), KEEP_ALIVE_MS);
  try {
    for await (const event of events) {
      if (!socket.write(frameOf(event, executionId)) && !(await drained(socket))) break;
    }
    socket.end();
  } catch (error) {
    // The status is long sent: all that is left is to break off, so that the reader resumes.
    reply.log.error({ err: error, executionId }, "a stream broke off");
    socket.destroy();
  } finally {
    clearInterval(keepAlive);
    controller.abort();
  }
}

function frameOf(event: ExecutionEvent | StreamGap, executionId: string): string {
  const id = event.type === "execution.gap" ? "" : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(presentEvent(event, executionId))}\n\n`;
}

/** False when the reader took nothing for too long or went away. */
async function drained(socket: ServerResponse): Promise<boolean> {
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

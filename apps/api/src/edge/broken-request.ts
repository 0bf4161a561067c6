import { newTraceId, Fault, type FaultCode } from "@bulkhead/core";
import type { FastifyInstance } from "fastify";
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { DRAIN_BOUNDS, drainBroken } from "./drain-body.ts";
import type { IsAnswering } from "./open-answers.ts";
import { NO_SNIFFING } from "./no-sniffing.ts";
import { problemOf } from "./problems.ts";

/** The refusals of Node's parser, in our words. */
const PARSER_FAULTS: Readonly<Record<string, { code: FaultCode; detail: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "request.timed_out",
    detail: "The request did not arrive whole in time. Send it again.",
  },
  HPE_HEADER_OVERFLOW: {
    code: "request.headers_too_large",
    detail: "The request line and the headers may have 16 KiB together.",
  },
};
const NO_HTTP = { code: "request.invalid", detail: "This is no HTTP request that can be read." } as const;

/**
 * Answers what is no request, so that no hook and no route ever sees it, as the problem that it is. Behind a request that is
 * still being answered it gets no answer, which would stand within that one's or be taken for it: the connection ends.
 */
export function answerBrokenRequest(
  { metrics, isAnswering }: { metrics: FastifyInstance["metrics"]; isAnswering: IsAnswering },
  error: NodeJS.ErrnoException,
  socket: Socket,
  drainBounds = DRAIN_BOUNDS,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const { code, detail } = PARSER_FAULTS[error.code ?? ""] ?? NO_HTTP;
  metrics.refused(code);
  if (!socket.writable) return void socket.destroy(error);
  if (isAnswering(socket)) return drainBroken(socket, drainBounds);
  socket.write(answerOf(new Fault(code, { detail })));
  drainBroken(socket, drainBounds);
  socket.destroySoon();
}

/** A whole answer to a request that no route has, which is the last of its connection. */
export function answerOf(fault: Fault, instance = "/"): string {
  const { status, retryAfterSeconds } = fault;
  // Whose trace it belongs to was not read.
  const problem = problemOf(fault, instance, {
    requestId: `req_${randomUUID()}`,
    traceId: newTraceId(),
    timestamp: new Date().toISOString(),
  });
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    NO_SNIFFING.join(": "),
    ...(status === 401 ? ["WWW-Authenticate: Bearer"] : []),
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

import { newTraceId } from "@bulkhead/core";
import {
  NO_TRACING,
  PLATFORM_ERROR,
  readTraceparent,
  writeTraceparent,
  type TracePlace,
  type TraceSpan,
  type Tracing,
} from "@bulkhead/process/telemetry";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { lateLogger, LateLogger } from "./late-logger.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before any other hook; unset on what the router refuses. */
    trace: RequestTrace | undefined;
  }
}

interface RequestTrace {
  traceId: string;
  /** Begun as late as it is known who asks. */
  span: () => TraceSpan;
}

/** Probes and the reference are asked for all day long and lead nowhere. */
const TRACED_PATHS = /^\/(api\/|mcp\b)/;

/**
 * Makes each request a step of its caller's trace, or of a new one, and names the trace in its log lines. Of the URL the
 * route is told, never the path or the query; of the headers nothing.
 */
export function useTracing(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest("trace");
  app.setChildLoggerFactory(lateLogger);
  app.addHook("onRequest", (request, reply, done) => {
    const trace = beginTrace(TRACED_PATHS.test(request.url) ? tracing : NO_TRACING, request);
    request.trace = trace;
    if (request.log instanceof LateLogger) request.log.name({ traceId: trace.traceId });
    reply.raw.once("close", () => {
      const { principal } = request;
      const span = trace.span();
      span.set({
        "bulkhead.tenant.id": principal && "tenantId" in principal ? principal.tenantId : undefined,
        "http.response.status_code": reply.statusCode,
        "bulkhead.outcome": reply.raw.writableEnded ? undefined : "left",
      });
      if (reply.statusCode >= 500) span.set(PLATFORM_ERROR);
      span.end(reply.statusCode >= 500 ? String(reply.statusCode) : null);
    });
    done();
  });
}

function beginTrace(tracing: Tracing, request: FastifyRequest): RequestTrace {
  const given = readTraceparent(request.headers.traceparent);
  const from = performance.now();
  let span: TraceSpan | undefined;
  if (given !== null)
    return {
      traceId: given.traceId,
      span: () => (span ??= beginSpan(tracing, request, placeFor(request, given), from)),
    };
  // No caller decides whether a trace that begins here is recorded.
  const root = beginSpan(tracing, request, null, from);
  return {
    traceId: readTraceparent(root.traceparent)?.traceId ?? newTraceId(),
    span: () => root,
  };
}

/** In version 00, whatever the caller wrote. Who is a stranger, or not yet known, can't have anything recorded. */
const placeFor = ({ principal }: Partial<FastifyRequest>, given: TracePlace): string =>
  writeTraceparent({ ...given, sampled: given.sampled && principal !== undefined });

function beginSpan(
  tracing: Tracing,
  request: FastifyRequest,
  parent: string | null,
  from: number,
): TraceSpan {
  const { method } = request;
  const route = request.routeOptions.url;
  return tracing.begin(route === undefined ? method : `${method} ${route}`, parent, {
    kind: "server",
    attributes: {
      "http.request.method": method,
      "http.route": route,
      "bulkhead.request.id": request.id,
    },
    from,
  });
}

function traceOf(request: FastifyRequest): RequestTrace {
  return (request.trace ??= beginTrace(NO_TRACING, request));
}

/** The caller's trace, if the request is part of one; else a new one. */
export const traceIdOf = (request: FastifyRequest): string => traceOf(request).traceId;

/** The place in the trace under which the request's work belongs. */
export function tracePlaceOf(request: FastifyRequest): { traceId: string; traceparent: string | null } {
  const { traceId, span } = traceOf(request);
  return { traceId, traceparent: span().traceparent };
}

/** Puts down the code of the problem that the request is answered with. */
export const noteProblem = (request: FastifyRequest, code: string): void =>
  traceOf(request).span().set({ "bulkhead.problem": code });

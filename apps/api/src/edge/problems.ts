import type { Problem } from "@bulkhead/contracts";
import { Fault, type FaultCode } from "@bulkhead/core";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { watchMethods } from "./allowed-methods.ts";
import { metaOf } from "./envelope.ts";
import { tellQuotas } from "./quota-headers.ts";
import { noteProblem } from "./trace-id.ts";

/** Fastify's own refusals, in our words. */
const FASTIFY_FAULTS: Readonly<Record<string, { code: FaultCode; detail: string; path?: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: "request.too_large", detail: "A body may have 2 MiB at most." },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "request.unsupported_media_type",
    detail: "Send JSON, with the header `Content-Type: application/json`.",
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "request.invalid",
    detail: "The Content-Length does not match the body.",
    path: "content-length",
  },
  FST_ERR_BAD_URL: { code: "request.invalid", detail: "The URL can't be decoded.", path: "url" },
};

/** Answers what the router refuses before any route is found. */
export const frameworkErrors = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  // No hook sees them.
  request.server.metrics.watch(request, reply);
  void sendProblem(asFault(error), request, reply);
};

/** Renders every failure as problem+json; the only place that knows how. Needs `useMetrics`; put it before the routes. */
export function useProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Fault, request, reply) =>
    sendProblem(asFault(error), request, reply),
  );
  const methodsAt = watchMethods(app);
  app.setNotFoundHandler((request, reply) => {
    const { method, url } = request;
    const [path] = url.split("?");
    const allowed = methodsAt(url).join(", ");
    if (allowed === "") {
      const detail = `There is no ${method} ${path}; GET /docs lists the routes.`;
      return sendProblem(new Fault("route.not_found", { detail }), request, reply);
    }
    void reply.header("allow", allowed);
    const detail = `${path} takes ${allowed} and not ${method}; GET /docs lists the routes.`;
    return sendProblem(new Fault("route.method_not_allowed", { detail }), request, reply);
  });
}

/**
 * A path with nothing where a route has an id or a name (`/custom-tools/`) is answered as any other that no route has. Put it
 * before authentication, which those paths don't meet either. Needs `useProblems`.
 */
export function missEmptyParams(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const params = Object.values(request.params as Record<string, string>);
    if (params.includes("")) reply.callNotFound();
    else done();
  });
}

/** Any failure of a request as a fault: what is none is ours. */
export function asFault(error: FastifyError | Fault): Fault {
  if (error instanceof Fault) return error;
  const known = FASTIFY_FAULTS[error.code];
  if (known) {
    const { code, detail, path } = known;
    return new Fault(code, { detail, errors: path ? [{ path, message: detail }] : [], cause: error });
  }
  const clientsFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return new Fault(clientsFault ? "request.invalid" : "service.internal", {
    internal: error.message,
    cause: error,
  });
}

function sendProblem(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  tellFault(fault, request, reply);
  return reply
    .status(fault.status)
    .type("application/problem+json")
    .send(problemOf(fault, request.url.split("?")[0] ?? "/", metaOf(request)));
}

/** Counts and logs a fault, and puts its headers on the answer, whatever form that has. */
export function tellFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): void {
  // Fastify would end the connection where a body is refused; `drainBodies` lets the next request have it.
  if (!request.raw.complete && reply.hasHeader("connection")) void reply.removeHeader("connection");
  noteProblem(request, fault.code);
  if (fault.status >= 500) request.log.error({ err: fault, internal: fault.internal }, fault.code);
  if (fault.retryAfterSeconds !== undefined) void reply.header("retry-after", fault.retryAfterSeconds);
  request.server.metrics.refused(fault.code);
  tellQuotas(reply, fault.quotas);
  if (fault.status === 401) void reply.header("www-authenticate", "Bearer");
}

/** The failure as its caller meets it; `instance` is the path that was asked. */
export const problemOf = (fault: Fault, instance: string, meta: Problem["meta"]): Problem => ({
  type: `urn:bulkhead:problem:${fault.code}`,
  title: fault.title,
  status: fault.status,
  detail: fault.detail,
  instance,
  code: fault.code,
  retryable: fault.retryable,
  ...(fault.errors.length > 0 ? { errors: fault.errors } : {}),
  success: false,
  meta,
});

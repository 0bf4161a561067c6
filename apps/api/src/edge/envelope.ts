import type { FastifyRequest } from "fastify";
import { traceIdOf } from "./trace-id.ts";

export const metaOf = (request: FastifyRequest) => ({
  requestId: request.id,
  traceId: traceIdOf(request),
  timestamp: new Date().toISOString(),
});

/** A successful answer. */
export const ok = <T>(request: FastifyRequest, data: T) => ({
  success: true as const,
  data,
  meta: metaOf(request),
});

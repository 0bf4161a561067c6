import type { FastifyRequest } from "fastify";

export const metaOf = (request: FastifyRequest) => ({
  requestId: request.id,
  timestamp: new Date().toISOString(),
});

/** A successful answer. */
export const ok = <T>(request: FastifyRequest, data: T) => ({
  success: true as const,
  data,
  meta: metaOf(request),
});

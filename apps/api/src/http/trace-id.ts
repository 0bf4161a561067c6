import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** W3C Trace Context: version, trace id (not all zero), parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

/** The caller's trace, if the request is part of one; else a new one. */
export function traceIdOf(request: FastifyRequest): string {
  const header = request.headers["traceparent"];
  const given = typeof header === "string" ? TRACEPARENT.exec(header)?.[1] : undefined;
  return given ?? randomBytes(16).toString("hex");
}

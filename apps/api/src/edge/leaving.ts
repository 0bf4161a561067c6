import type { FastifyReply } from "fastify";

/** Fires when the caller leaves: what is worked out for it alone may stop then. */
export function leaving(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  if (reply.raw.destroyed) left.abort();
  else reply.raw.once("close", () => left.abort());
  return left.signal;
}

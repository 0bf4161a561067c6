import type { Quota } from "@bulkhead/core";
import type { FastifyReply } from "fastify";

/**
 * Adds quotas to an answer as `RateLimit-Policy` and `RateLimit`, the lists of structured fields that
 * draft-ietf-httpapi-ratelimit-headers (revision 10) describes. Both may be told bit by bit.
 */
export function tellQuotas(reply: FastifyReply, quotas: readonly Quota[]): void {
  for (const quota of quotas) {
    append(reply, "ratelimit-policy", item(quota.name, { q: quota.limit, w: quota.windowSeconds }));
    append(reply, "ratelimit", item(quota.name, { r: quota.remaining, t: quota.resetSeconds }));
  }
}

const item = (name: string, parameters: Record<string, number | undefined>): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .reduce((text, [key, value]) => `${text};${key}=${value}`, `"${name}"`);

function append(reply: FastifyReply, header: string, value: string): void {
  const told = reply.getHeader(header);
  void reply.header(header, told === undefined ? value : `${String(told)}, ${value}`);
}

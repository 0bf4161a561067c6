import { TenantPermits } from "@bulkhead/threads";
import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The answer goes on for as long as its reader likes, so it takes no turn. */
    isStream?: boolean;
  }
}

/**
 * Reads of one tenant that are answered at a time in this process. An answer may be megabytes: the database's connections, the
 * event loop and the memory that they take are everybody's.
 */
const READS_AT_ONCE = 2;
/** So long a reader that takes its answer slowly holds the turn of its tenant's others; milliseconds. */
const HELD_MS_MAX = 5_000;

/** Reads of one tenant take turns, in the order in which they came. Needs `useAuthentication`. */
export function useReadTurns(app: FastifyInstance, heldMsMax = HELD_MS_MAX): void {
  const permits = new TenantPermits(READS_AT_ONCE);

  app.addHook("preValidation", async (request, reply) => {
    const { method, principal, routeOptions } = request;
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead || principal.role === "admin" || routeOptions.config.isStream) return;
    // Who has gone is answered nothing.
    if (!(await takeTurn(permits, principal.tenantId, reply, heldMsMax))) reply.hijack();
  });
}

/** False when the reader went while it waited. */
async function takeTurn(
  permits: TenantPermits,
  tenantId: string,
  { raw }: FastifyReply,
  heldMsMax: number,
): Promise<boolean> {
  const left = new AbortController();
  const leave = (): void => left.abort();
  raw.once("close", leave);
  const giveBack = await permits.take(tenantId, left.signal);
  raw.off("close", leave);
  if (giveBack === null) return false;
  const timer = setTimeout(giveBack, heldMsMax);
  const end = (): void => {
    clearTimeout(timer);
    giveBack();
  };
  if (raw.closed) end();
  raw.once("close", end);
  return true;
}

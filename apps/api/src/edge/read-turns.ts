import { Fault } from "@bulkhead/core";
import { TenantPermits } from "@bulkhead/process";
import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The answer may be megabytes: the database's connections, the event loop and the memory that it takes are everybody's. */
    isLarge?: boolean;
  }
  interface FastifyRequest {
    /** Gives the turn back that the request holds; null where it holds none. */
    endTurn: (() => void) | null;
  }
}

interface ReadTurnBounds {
  /** Large reads of one tenant that are answered at a time in this process. */
  atOnce: number;
  /** How many milliseconds a read waits for its turn. */
  waitMsMax: number;
  /** A reader that takes its answer slowly holds the turn for so many milliseconds after it is sent. */
  heldMsMax: number;
}

const BOUNDS: ReadTurnBounds = { atOnce: 2, waitMsMax: 10_000, heldMsMax: 1_000 };
/** A refused read may come again after this. */
const RETRY_SECONDS = 5;

/** Large reads of one tenant take turns, in the order in which they came. Needs `useAuthentication`. */
export function useReadTurns(app: FastifyInstance, bounds = BOUNDS): void {
  const permits = new TenantPermits(bounds.atOnce);
  app.decorateRequest("endTurn", null);

  app.addHook("preValidation", async (request, reply) => {
    const { principal, routeOptions } = request;
    if (!routeOptions.config.isLarge || principal.role === "admin") return;
    request.endTurn = await takeTurn(permits, principal.tenantId, reply, bounds);
  });

  // The work is done; that of a reader who has gone meanwhile was done to here, too.
  app.addHook("onSend", async ({ endTurn }, { raw }) => {
    if (endTurn === null) return;
    const held = setTimeout(endTurn, bounds.heldMsMax);
    const end = (): void => {
      clearTimeout(held);
      endTurn();
    };
    if (raw.closed) end();
    raw.once("close", end);
  });
}

/** Resolves to what gives the turn back. Throws `reads.busy` where it has not come in time; a caller that left gets no answer. */
async function takeTurn(
  permits: TenantPermits,
  tenantId: string,
  reply: FastifyReply,
  { atOnce, waitMsMax }: ReadTurnBounds,
): Promise<(() => void) | null> {
  const { raw } = reply;
  const left = new AbortController();
  const leave = (): void => left.abort();
  raw.once("close", leave);
  const waited = setTimeout(leave, waitMsMax);
  const giveBack = await permits.take(tenantId, left.signal);
  clearTimeout(waited);
  raw.off("close", leave);
  if (giveBack === null && raw.closed) reply.hijack();
  else if (giveBack === null)
    throw new Fault("reads.busy", {
      detail: `Of a tenant ${atOnce} large reads are answered at a time, and one waits ${waitMsMax / 1_000} s at most; send fewer at once.`,
      retryAfterSeconds: RETRY_SECONDS,
    });
  return giveBack;
}

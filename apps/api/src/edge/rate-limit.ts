import { type Principal, type RateLimiter, type Taken, type TenantPrincipal, Fault } from "@bulkhead/core";
import { calmly } from "@bulkhead/redis";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tellQuotas } from "./quota-headers.ts";

export interface RateLimitDeps {
  rateLimiter: Pick<RateLimiter, "take">;
  /** Shown the mark of the tenant's latest change that each take tells. */
  changes: { see(tenantId: string, mark: string | null): void };
  report: (what: string, error: unknown) => void;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The route can do nothing without Redis: it answers `service.unavailable` where the limit can't be asked. Every other
     * route then goes on unlimited.
     */
    needsRedis?: boolean;
  }
  interface FastifyRequest {
    /** Resolves to the outcome of the tenant's take; null for principals without a limit, and until the principal is known. */
    requestTake: Promise<Decision> | null;
  }
}

/** `taken` is null where nobody could tell. */
type Decision = { taken: Taken | null; error?: unknown };

/** A route that works without Redis waits so many milliseconds for it before it goes on unlimited. */
const WAIT_MS_MAX = 250;
const SECOND_MS = 1_000;
/** A refusal is held back for so many milliseconds: callers that send again at once would else keep this process from others. */
const REFUSAL_HELD_MS = 100;

/**
 * Each request of a tenant takes one of its `requestsPerSecond`, which is also the burst; over it: `tenant.rate_limited`.
 * The store is asked as soon as it is known whose request it is, and its answer awaited when the body is there, before it
 * is looked into. Needs `useAuthentication`.
 */
export function useRateLimit(app: FastifyInstance, deps: RateLimitDeps): void {
  const reportCalmly = calmly((error) =>
    deps.report("rate limits can't be checked; what does without Redis goes on unlimited", error),
  );
  app.decorateRequest("requestTake", null);

  app.addHook("onRequest", (request, _reply, done) => {
    const { principal } = request;
    if (principal.role !== "admin") {
      const decision = decide(deps, principal);
      request.requestTake = request.routeOptions.config.needsRedis ? decision : atMost(decision, WAIT_MS_MAX);
    }
    done();
  });

  app.addHook("preValidation", async (request, reply) => {
    if (!request.requestTake) return;
    const { taken, error } = await request.requestTake;
    if (taken) return requireTaken(taken, reply);
    reportCalmly(error);
    if (request.routeOptions.config.needsRedis) throw error;
  });

  // A request that was refused before its body was read is told its quota too; an answer that has the header was told above.
  app.addHook("onSend", async (request, reply) => tellOnce(request, reply));
}

/**
 * Takes one of the tenant's requests at once, for a route whose caller is known by its body alone; goes on where nobody can
 * tell, as any route that works without Redis.
 */
export async function takeRequest(
  deps: RateLimitDeps,
  principal: Principal,
  reply: FastifyReply,
): Promise<void> {
  if (principal.role === "admin") return;
  const { taken } = await atMost(decide(deps, principal), WAIT_MS_MAX);
  if (taken) await requireTaken(taken, reply);
}

async function requireTaken(taken: Taken, reply: FastifyReply): Promise<void> {
  tellQuotas(reply, [quotaOf(taken)]);
  if (taken.allowed) return;
  await new Promise((resolve) => setTimeout(resolve, REFUSAL_HELD_MS));
  throw tooManyRequests(taken);
}

const decide = ({ rateLimiter, changes }: RateLimitDeps, { tenantId, limits }: TenantPrincipal) => {
  const perSecond = limits.requestsPerSecond;
  const rate = { count: perSecond, perMs: SECOND_MS, burst: perSecond };
  return rateLimiter.take({ tenantId, name: "requests" }, rate, 1).then(
    (taken): Decision => {
      changes.see(tenantId, taken.changeMark);
      return { taken };
    },
    (error: unknown): Decision => ({ taken: null, error }),
  );
};

async function atMost(decision: Promise<Decision>, ms: number): Promise<Decision> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Decision>((resolve) => {
    const error = new Error(`no answer within ${ms} ms`);
    // Behind one more look at what has come: it may be this process that was stopped.
    timer = setTimeout(() => setImmediate(resolve, { taken: null, error }), ms);
  });
  try {
    return await Promise.race([decision, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function tellOnce(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!request.requestTake || reply.hasHeader("ratelimit")) return;
  const { taken } = await request.requestTake;
  if (taken) tellQuotas(reply, [quotaOf(taken)]);
}

const quotaOf = ({ limit, remaining, resetMs }: Taken) => ({
  name: "requests",
  limit,
  windowSeconds: 1,
  remaining,
  resetSeconds: Math.ceil(resetMs / SECOND_MS),
});

function tooManyRequests({ limit, retryAfterMs, resetMs }: Taken): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? resetMs) / SECOND_MS));
  return new Fault("tenant.rate_limited", {
    detail: `This tenant may send ${limit} requests in a second, over all its keys; wait ${retryAfterSeconds} s and send it again.`,
    retryAfterSeconds,
  });
}

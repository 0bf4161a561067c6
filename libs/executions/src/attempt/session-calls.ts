import { type CallContext, type RateLimiter, type TenantPrincipal, Fault } from "@bulkhead/core";
import { createHash } from "node:crypto";

const WINDOW_SECONDS = 60;

/**
 * Counts one call of a principal for the session that its context names, if it names one; a limit of 0 allows any number. Throws
 * `session.rate_limited`, whose detail tells a model what to do: then nothing may be run. Throws `service.unavailable`
 * where nobody can tell.
 */
export async function takeSessionCall(
  limiter: Pick<RateLimiter, "take">,
  { tenantId, limits }: Pick<TenantPrincipal, "tenantId" | "limits">,
  { sessionKey }: Pick<CallContext, "sessionKey">,
): Promise<void> {
  const { sessionCallsPerMinute: perMinute } = limits;
  if (sessionKey === undefined || perMinute === 0) return;
  const rate = { count: perMinute, perMs: WINDOW_SECONDS * 1_000, burst: perMinute };
  const key = { tenantId, name: `session:${digestOf(tenantId, sessionKey)}` };
  const { allowed, limit, remaining, resetMs, retryAfterMs } = await limiter.take(key, rate, 1);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? resetMs) / 1_000));
  throw new Fault("session.rate_limited", {
    detail:
      `This session may make ${perMinute === 1 ? "1 tool call" : `${perMinute} tool calls`} per minute and has used them up; nothing was run. ` +
      `Wait ${retryAfterSeconds} s, then make the same call again; trying earlier is refused too.`,
    retryAfterSeconds,
    quotas: [
      {
        name: "session-calls",
        limit,
        windowSeconds: WINDOW_SECONDS,
        remaining,
        resetSeconds: Math.ceil(resetMs / 1_000),
      },
    ],
  });
}

/** A session key is a caller's text of any length and may name a person: only its digest is stored, and each tenant's differs. */
const digestOf = (tenantId: string, sessionKey: string): string =>
  createHash("sha256").update(`${tenantId}\n${sessionKey}`).digest("base64url");

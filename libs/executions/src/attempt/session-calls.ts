import { type CallContext, type RateLimiter, type TenantPrincipal, Fault } from "@bulkhead/core";
import { createHash } from "node:crypto";

const WINDOW_SECONDS = 60;

/** Counts one call of a principal for the session that its context names, if it names one. Throws as `takeSessionCalls` does. */
export async function takeSessionCall(
  limiter: Pick<RateLimiter, "take">,
  { tenantId, limits }: Pick<TenantPrincipal, "tenantId" | "limits">,
  { sessionKey }: Pick<CallContext, "sessionKey">,
): Promise<void> {
  if (sessionKey !== undefined)
    await takeSessionCalls(limiter, tenantId, sessionKey, limits.sessionCallsPerMinute, 1);
}

/**
 * Counts `n` calls of tools for one session of a tenant, all or none; `perMinute` of 0 allows any number. Throws
 * `session.rate_limited`, whose detail tells a model what to do: then nothing may be run. Throws `service.unavailable`
 * where nobody can tell.
 */
export async function takeSessionCalls(
  limiter: Pick<RateLimiter, "take">,
  tenantId: string,
  sessionKey: string,
  perMinute: number,
  n: number,
): Promise<void> {
  if (perMinute === 0 || n === 0) return;
  const rate = { count: perMinute, perMs: WINDOW_SECONDS * 1_000, burst: perMinute };
  const key = { tenantId, name: `session:${digestOf(tenantId, sessionKey)}` };
  const { allowed, limit, remaining, resetMs, retryAfterMs } = await limiter.take(key, rate, n);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? resetMs) / 1_000));
  throw new Fault("session.rate_limited", {
    detail: retryAfterMs === null ? splitUp(perMinute, n) : waitFor(perMinute, n, retryAfterSeconds),
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

const calls = (n: number): string => (n === 1 ? "1 tool call" : `${n} tool calls`);

const waitFor = (perMinute: number, n: number, seconds: number): string =>
  `This session may make ${calls(perMinute)} per minute and has used them up; nothing was run. ` +
  `Wait ${seconds} s, then make ${n === 1 ? "the same call" : "the same calls"} again; trying earlier is refused too.`;

const splitUp = (perMinute: number, n: number): string =>
  `These are ${calls(n)}, and this session may make ${perMinute} per minute; nothing was run. ` +
  `Make at most ${perMinute} at a time; all of them together are refused however long you wait.`;

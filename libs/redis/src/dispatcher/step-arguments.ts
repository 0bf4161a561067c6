import assert from "node:assert";
import {
  attemptName,
  EXECUTION_DELAY_MS_MAX,
  PRIORITY_MAX,
  TENANT_LIMITS_DEFAULT,
  type Admission,
  type AttemptKey,
  type LimitsAsOf,
  type ShardMeasure,
  type UsedMs,
} from "@bulkhead/core";

/** No attempt can use more; a larger value was measured wrongly. Milliseconds. */
const USED_MS_MAX = 3_600_000;

/** Limits as `lua/shared/tenant.lua` reads them: as of, cap, longest backlog, rate, burst, weight. */
export function limitsText({ limits, asOf }: LimitsAsOf): string {
  const parts = [
    asOf.getTime(),
    limits.maxConcurrentExecutions,
    limits.maxQueuedExecutions,
    limits.executionsPerSecond,
    limits.executionBurst,
    limits.weight,
  ];
  assert(parts.every(Number.isFinite), "limits are numbers");
  return parts.join(":");
}

/** For a tenant that none were given for: older than any others. */
export const LIMITS_DEFAULT_TEXT = limitsText({ limits: TENANT_LIMITS_DEFAULT, asOf: new Date(0) });

export const attemptArguments = (attempt: AttemptKey): string[] => [attempt.tenantId, attemptName(attempt)];

/**
 * Admissions as `lua/admit.lua` reads them: neighbours that differ in their attempt alone are one group. Throws on a
 * priority or a delay out of bounds.
 */
export function admissionArguments(admissions: Admission[]): string[] {
  const groups: Admission[][] = [];
  for (const admission of admissions) {
    const group = groups.at(-1);
    if (group?.[0] && areAlike(group[0], admission)) group.push(admission);
    else groups.push([admission]);
  }
  return groups.flatMap((group) => {
    const names = group.map(attemptName);
    return group[0] ? [...groupArguments(group[0]), String(names.length), ...names] : [];
  });
}

const areAlike = (a: Admission, b: Admission): boolean =>
  a.tenantId === b.tenantId &&
  a.priority === b.priority &&
  a.delayMs === b.delayMs &&
  a.current?.limits === b.current?.limits &&
  a.current?.asOf.getTime() === b.current?.asOf.getTime() &&
  a.tool?.id === b.tool?.id &&
  a.tool?.maxConcurrent === b.tool?.maxConcurrent &&
  a.tool?.perSecond === b.tool?.perSecond;

function groupArguments({ tenantId, current, priority, delayMs, tool }: Admission): string[] {
  assert(Number.isInteger(priority) && priority >= 0 && priority <= PRIORITY_MAX, "a priority is 0 to 9");
  assert(delayMs >= 0 && delayMs <= EXECUTION_DELAY_MS_MAX, "a delay is 0 ms to 7 days");
  const limited = tool?.maxConcurrent !== undefined || tool?.perSecond !== undefined;
  return [
    tenantId,
    current === null ? "" : limitsText(current),
    String(priority),
    String(Math.ceil(delayMs)),
    limited ? `${tool.maxConcurrent ?? ""}|${tool.perSecond ?? ""}|${tool.id}` : "",
  ];
}

export interface Release {
  attempt: AttemptKey;
  usedMs: UsedMs;
}

/** A release as `lua/release.lua` reads it. */
export const releaseArguments = ({ attempt, usedMs }: Release): string[] => [
  ...attemptArguments(attempt),
  usedText(usedMs),
];

function usedText(usedMs: UsedMs): string {
  if (usedMs === "unless_taken") return usedMs;
  return usedMs === null || Number.isNaN(usedMs) ? "" : String(Math.min(Math.max(usedMs, 0), USED_MS_MAX));
}

/** Reads the reply of `lua/measure.lua`. */
export function readMeasure(shard: number, reply: number[]): ShardMeasure {
  const [slots = 0, inflight = 0, ready = 0, backlog = 0, startable = 0, throttledTenants = 0, delayed = 0] =
    reply;
  return { shard, slots, inflight, ready, backlog, startable, throttledTenants, delayed };
}

/** The items in parts of at most `sizeMax`. */
export function inParts<T>(items: T[], sizeMax: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += sizeMax) parts.push(items.slice(from, from + sizeMax));
  return parts;
}

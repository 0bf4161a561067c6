import {
  newExecutionId,
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  type Admission,
  type LimitsAsOf,
  type TenantLimits,
} from "@bulkhead/core";

/** No rate that a test could meet. */
const UNPACED = { executionsPerSecond: 100_000, executionBurst: 1_000_000 };

/** Limits as of a moment; the later the number, the newer. */
export const limited = (limits: Partial<TenantLimits> = {}, asOf = 1): LimitsAsOf => ({
  limits: { ...TENANT_LIMITS_DEFAULT, ...UNPACED, ...limits },
  asOf: new Date(asOf),
});

/** The first attempt of a new execution of a tenant that nothing limits, unless said otherwise. */
export const admission = (tenantId: string, more: Partial<Admission> = {}): Admission => ({
  tenantId,
  executionId: newExecutionId(new Date()),
  attempt: 1,
  current: limited({ maxConcurrentExecutions: 100 }),
  priority: 4,
  delayMs: 0,
  tool: null,
  ...more,
});

/** So many of one tenant. */
export const admissions = (
  count: number,
  more: Partial<Admission> = {},
  tenantId = newTenantId(),
): Admission[] => Array.from({ length: count }, () => admission(tenantId, more));

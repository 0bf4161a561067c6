import {
  RUN_LIMITS_DEFAULT,
  withinCeilings,
  type RunLimits,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";

/** The whole limits of a tool for which `asked` was asked. Throws `request.invalid` for each above the tenant's ceiling. */
export function checkLimits(asked: Partial<RunLimits>, { limits: ceilings }: TenantPrincipal): RunLimits {
  const errors = (Object.keys(asked) as (keyof RunLimits)[])
    .filter((name) => (asked[name] ?? 0) > ceilings[name])
    .map((name) => ({
      path: `limits.${name}`,
      message: `must be at most ${ceilings[name]}, this tenant's ceiling`,
    }));
  const [first] = errors;
  if (first) throw new Fault("request.invalid", { detail: `${first.path} ${first.message}.`, errors });
  return { ...withinCeilings(RUN_LIMITS_DEFAULT, ceilings), ...asked };
}

import {
  DANGEROUS_PERMISSIONS,
  Fault,
  PERMISSIONS,
  type Permission,
  type TenantPrincipal,
} from "@bulkhead/core";

/**
 * What a model's tool may have and serve without a review: nobody reviews a script. Schedules are made by what is kept as a tool
 * alone.
 */
export const SCRIPT_PERMISSIONS = PERMISSIONS.filter(
  (one) => one !== "scheduling" && !DANGEROUS_PERMISSIONS.includes(one),
);

/** What a script asks for beside its code. */
interface Asked {
  permissions: readonly Permission[];
  /** Services by name, whose values it would be given. */
  services: readonly string[];
}

/**
 * A script is a model's code, as what `create_tool` makes is: a person lets each call of that by an agent, and reviews what is
 * dangerous, and a script waits for neither. Throws `request.invalid` for what a call of it can't have then, with what to do
 * instead.
 */
export function requireScriptPermissions(
  { role }: Pick<TenantPrincipal, "role">,
  { permissions, services }: Asked,
): void {
  const byAgent = role === "agent";
  const at = permissions.findIndex((one) => byAgent || !SCRIPT_PERMISSIONS.includes(one));
  if (at >= 0)
    throw refused(
      `permissions.${at}`,
      byAgent
        ? "an agent's script has no permission of its own"
        : permissions[at] === "scheduling"
          ? "what is not kept as a tool makes no schedules"
          : `${permissions[at]} takes a person's review`,
    );
  if (byAgent && services.length > 0)
    throw refused("required_config_services", "an agent's script is given no service");
}

function refused(path: string, why: string): Fault {
  const message = `${why}; make a tool with create_tool, which a person can let run`;
  const [field] = path.split(".");
  return new Fault("request.invalid", { detail: `${field}: ${message}.`, errors: [{ path, message }] });
}

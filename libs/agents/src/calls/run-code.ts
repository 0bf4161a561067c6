import {
  DANGEROUS_PERMISSIONS,
  Fault,
  PERMISSIONS,
  type Permission,
  type TenantPrincipal,
} from "@bulkhead/core";

/** What a model's tool may have and serve without a review: nobody reviews a script. */
export const SCRIPT_PERMISSIONS = PERMISSIONS.filter((one) => !DANGEROUS_PERMISSIONS.includes(one));

/**
 * A script is a model's code, as what `create_tool` makes is: a person lets each call of that by an agent, and reviews what is
 * dangerous, and a script waits for neither. Throws `request.invalid` for the permissions that a call of it can't have then, with
 * what to do instead.
 */
export function requireScriptPermissions(
  { role }: Pick<TenantPrincipal, "role">,
  permissions: readonly Permission[],
): void {
  const first =
    role === "agent" ? permissions[0] : permissions.find((one) => !SCRIPT_PERMISSIONS.includes(one));
  if (first === undefined) return;
  const why =
    role === "agent" ? "an agent's script has no permission of its own" : `${first} takes a person's review`;
  const message = `${why}; make a tool with create_tool, which a person can let run`;
  throw new Fault("request.invalid", {
    detail: `permissions: ${message}.`,
    errors: [{ path: `permissions.${permissions.indexOf(first)}`, message }],
  });
}

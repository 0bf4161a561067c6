import { Fault, type Asker, type ProvidedTool, type TenantPrincipal } from "@bulkhead/core";
import { askerOf, type SaidOfAsker } from "@bulkhead/policy";

type Restricted = Pick<ProvidedTool, "name" | "onlyForKeys">;

/**
 * Whether a call of a tool that comes with the platform counts as an agent's. One that is for some keys' own calls does what its key
 * may, so it is let to an agent by a word of it alone, also where the agent that the call names has a person's key. Throws
 * `auth.forbidden` where such a tool is not for the key, for an access token, or for a subagent, with what to do.
 */
export function isByAgent(
  principal: TenantPrincipal,
  { name, onlyForKeys }: Restricted,
  context: SaidOfAsker,
): boolean {
  const { role, accessToken } = principal;
  if (onlyForKeys === undefined) return role === "agent";
  if (!onlyForKeys.includes(role))
    throw forbidden(
      `A key with the role ${role} may not call ${name}; it takes one of: ${onlyForKeys.join(", ")}. Ask an owner to make this call, or to call for the agent by a key with one of those roles.`,
    );
  if (accessToken !== undefined)
    throw forbidden(
      `An access token may not call ${name}, which does all that its key may; call it by the API key.`,
    );
  const asker = askerOf(principal, context);
  if (isSubagent(asker))
    throw forbidden(`No subagent may call ${name}, however deep it is; the agent that began it may.`);
  return asker !== null && asker.byPerson !== true;
}

const isSubagent = (asker: Asker | null): boolean => (asker?.subagentDepth ?? 0) > 0;

const forbidden = (detail: string): Fault => new Fault("auth.forbidden", { detail });

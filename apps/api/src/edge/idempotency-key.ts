import { canonicalJson, type IdempotencyKey, type TenantPrincipal } from "@bulkhead/core";
import { createHash } from "node:crypto";

/** A key with the hash of what was asked for; null where no key was sent. `asked` is what the route and body say. */
export function idempotencyKeyOf(
  key: string | undefined,
  { agentId, role, accessToken }: Pick<TenantPrincipal, "agentId" | "role" | "accessToken">,
  asked: unknown,
): IdempotencyKey | null {
  if (key === undefined) return null;
  // To another agent the same name may be another tool, and an agent may have to ask where a person need not: the same
  // words of another are no repeat.
  const byAgent = role === "agent";
  const said = canonicalJson(byAgent || agentId !== null ? { agentId, byAgent, asked } : asked);
  // A namespace of their own: schedules have theirs.
  // What one token has done is no other's to be told, nor to stand in the way of.
  const by = accessToken ? `${accessToken.id}/` : "";
  return { key: `call/${by}${key}`, bodyHash: createHash("sha256").update(said).digest("hex") };
}

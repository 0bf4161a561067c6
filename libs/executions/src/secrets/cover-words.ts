import { Fault, type Scrubber } from "@bulkhead/core";
import { openSecrets, type SecretDeps } from "./open-secrets.ts";

/**
 * Covers words that come from outside of any run, such as what a server says of its tools: the secrets of these services of
 * the tenant's, and what its scrub rules name. Throws `vault.unreadable`, and `service.unavailable` where nobody can be asked.
 */
export async function coverWords(
  deps: SecretDeps,
  tenantId: string,
  services: readonly string[],
): Promise<Pick<Scrubber, "text" | "json">> {
  const opened = await openSecrets(deps, { tenantId, callerSecrets: null }, { services: [...services] });
  if ("secrets" in opened) return opened.secrets.scrubber;
  throw new Fault("vault.unreadable", { detail: opened.refusal.error?.message ?? "" });
}

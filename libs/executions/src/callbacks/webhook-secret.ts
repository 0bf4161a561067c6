import {
  type AuditLog,
  type TenantPrincipal,
  type Vault,
  type WebhookGenerations,
  type WebhookSecretStore,
  Fault,
} from "@bulkhead/core";
import { WEBHOOK } from "./purposes.ts";
import { writeSigningSecret } from "./signing-secret.ts";

export interface WebhookSecretDeps {
  webhookSecrets: WebhookSecretStore;
  vault: Pick<Vault, "derive">;
}

/** A tenant's signing secret as its owner sees it. */
export interface ShownSecret extends WebhookGenerations {
  secret: string;
}

/** The secret that signs a tenant's webhooks where the caller gave none. Throws `tenant.not_found`. */
export const showWebhookSecret = async (deps: WebhookSecretDeps, tenantId: string): Promise<ShownSecret> =>
  await show(deps, tenantId, await deps.webhookSecrets.read(tenantId));

/** A new secret, at once; the one before signs beside it for a day. Throws `tenant.not_found`. */
export async function rotateWebhookSecret(
  deps: WebhookSecretDeps & { audit: AuditLog },
  principal: TenantPrincipal,
): Promise<ShownSecret> {
  const { tenantId } = principal;
  const shown = await show(deps, tenantId, await deps.webhookSecrets.rotate(tenantId));
  await deps.audit.record(principal, tenantId, {
    action: "webhook_secret.rotated",
    id: tenantId,
    details: { generation: shown.current },
  });
  return shown;
}

async function show(
  { vault }: WebhookSecretDeps,
  tenantId: string,
  generations: WebhookGenerations | null,
): Promise<ShownSecret> {
  if (!generations) throw new Fault("tenant.not_found");
  const bytes = await vault.derive({ tenantId, purpose: WEBHOOK }, generations.current);
  return { ...generations, secret: writeSigningSecret(bytes) };
}

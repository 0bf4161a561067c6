import { BY_PLATFORM, isSetupEvent, type AuditLog, type TenantEvents } from "@bulkhead/core";

/** The log, and word of what people set up to the tenant's followers, once it is put down. */
export const tellDeeds = (audit: AuditLog, tenantEvents: Pick<TenantEvents, "publish">): AuditLog => ({
  async record(by, tenantId, ...deeds) {
    await audit.record(by, tenantId, ...deeds);
    for (const { action, id, name } of deeds) {
      if (!isSetupEvent(action)) continue;
      const data = { id, name: name ?? undefined, by: by?.keyId ?? BY_PLATFORM };
      await tenantEvents.publish(tenantId, { type: action, data, agentId: null });
    }
  },
});

import { BY_PLATFORM, isSetupEvent, type AuditLog, type TenantEvents } from "@bulkhead/core";

/** The log, and word of what people set up to the tenant's followers, once it is put down: of all deeds at once. */
export const tellDeeds = (audit: AuditLog, tenantEvents: Pick<TenantEvents, "publish">): AuditLog => ({
  async record(by, tenantId, ...deeds) {
    await audit.record(by, tenantId, ...deeds);
    const told = deeds.flatMap(({ action, id, name }) => {
      if (!isSetupEvent(action)) return [];
      const data = { id, name: name ?? undefined, by: by?.keyId ?? BY_PLATFORM };
      return [tenantEvents.publish(tenantId, { type: action, data, agentId: null })];
    });
    // A Redis that hangs costs its time-out once, however many there are.
    await Promise.all(told);
  },
});

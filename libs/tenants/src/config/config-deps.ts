import type { AuditLog, Clock, ConfigStore, Vault } from "@bulkhead/core";

/** What the use cases of services and their entries work with. */
export interface ConfigDeps {
  configServices: ConfigStore;
  vault: Pick<Vault, "seal" | "reseal">;
  audit: AuditLog;
  clock: Clock;
}

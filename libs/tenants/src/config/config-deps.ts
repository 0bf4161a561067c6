import type { AuditLog, Clock, ConfigStore, Vault } from "@bulkhead/core";

/** The dependencies of the use cases of services and their entries. */
export interface ConfigDeps {
  configServices: ConfigStore;
  vault: Pick<Vault, "seal" | "reseal">;
  audit: AuditLog;
  clock: Clock;
}

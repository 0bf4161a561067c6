export type { ConfigDeps } from "./config-deps.ts";
export { deleteEntry, requireEntry, updateEntry, type UpdateEntryRequest } from "./entries/change-entry.ts";
export { createEntry, type CreateEntryRequest, type WrittenEntry } from "./entries/create-entry.ts";
export { serviceConfigs } from "./open-services.ts";
export {
  createScrubRule,
  deleteScrubRule,
  listScrubRules,
  type CreateRuleRequest,
  type ScrubRuleDeps,
} from "./scrub-rules/scrub-rules.ts";
export { tenantScrubRules } from "./scrub-rules/tenant-rules.ts";
export { deleteService, updateService, type UpdateServiceRequest } from "./services/change-service.ts";
export { createService, type CreateServiceRequest } from "./services/create-service.ts";
export { listServices, readService } from "./services/read-services.ts";
export { getService, serviceTag } from "./services/service-state.ts";
export { toolServices } from "./tool-services.ts";

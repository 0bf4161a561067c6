export { auditLog } from "./audit-log.ts";
export { listAudit, type ListAuditDeps } from "./list-audit.ts";

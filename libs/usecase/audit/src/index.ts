export { auditLog } from "./audit-log.ts";
export { listAudit, listAuditOf, type ListAuditDeps } from "./list-audit.ts";

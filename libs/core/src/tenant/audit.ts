import type { Principal, Role } from "./principal.ts";

/** The kind of subject of each action. A new action is one line here: types, checks and reference follow. */
export const AUDIT_ACTIONS = {
  "tenant.created": "tenant",
  "tenant.updated": "tenant",
  "tenant.settings_updated": "tenant",
  "tenant.exported": "tenant",
  "tenant.deleted": "tenant",
  "policy.updated": "policy",
  "api_key.created": "api_key",
  "api_key.rotated": "api_key",
  "api_key.deleted": "api_key",
  "access_token.created": "access_token",
  "tool.drafted": "tool",
  "tool.created": "tool",
  "tool.updated": "tool",
  "tool.restored": "tool",
  "tool.enabled": "tool",
  "tool.disabled": "tool",
  "tool.approved": "tool",
  "tool.rejected": "tool",
  "tool.version_proposed": "tool",
  "tool.version_approved": "tool",
  "tool.version_rejected": "tool",
  "tool.deleted": "tool",
  "tool.quarantined": "tool",
  "approval.allowed_once": "approval",
  "approval.allowed_always": "approval",
  "approval.denied": "approval",
  "approval.standing_revoked": "standing_approval",
  "schedule.created": "schedule",
  "schedule.updated": "schedule",
  "schedule.paused": "schedule",
  "schedule.resumed": "schedule",
  "schedule.deleted": "schedule",
  "schedule.run": "schedule",
  "config_service.created": "config_service",
  "config_service.updated": "config_service",
  "config_service.deleted": "config_service",
  "config_service.registered": "config_service",
  "config_service.released": "config_service",
  "config_entry.created": "config_entry",
  "config_entry.updated": "config_entry",
  "config_entry.deleted": "config_entry",
  "mcp_server.created": "mcp_server",
  "mcp_server.updated": "mcp_server",
  "mcp_server.enabled": "mcp_server",
  "mcp_server.disabled": "mcp_server",
  "mcp_server.deleted": "mcp_server",
  "mcp_server.granted": "mcp_server",
  "mcp_server.grant_deleted": "mcp_server",
  "mcp_access.requested": "mcp_access_request",
  "mcp_access.approved": "mcp_access_request",
  "mcp_access.rejected": "mcp_access_request",
  "file.written": "file",
  "file.moved": "file",
  "file.deleted": "file",
  "data.written": "data",
  "data.deleted": "data",
  "device.code_made": "device_pairing_code",
  "device.paired": "device",
  "device.changed": "device",
  "device.removed": "device",
  "device.command_invoked": "device",
  "scrub_rule.created": "scrub_rule",
  "scrub_rule.deleted": "scrub_rule",
  "execution.cancelled": "execution",
  "execution.deleted": "execution",
  "execution.replayed": "execution",
  "delivery.redelivered": "execution",
  "webhook_secret.rotated": "webhook_secret",
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export type AuditSubject = (typeof AUDIT_ACTIONS)[AuditAction];

/** `aud_` and 16 hex digits. */
export const AUDIT_ID = /^aud_[0-9a-f]{16}$/;

/** Entries younger than this can't be dropped; the database itself refuses. Days. */
export const AUDIT_RETENTION_DAYS_MIN = 30;

/** `platform` is Bulkhead itself, which acts without a key. */
type AuditRole = Role | "platform";

/** The key and the request behind an entry; null where there was none. */
export interface AuditActor {
  role: AuditRole;
  keyId: string | null;
  agentId: string | null;
  requestId: string | null;
}

/** Small facts and the names of fields: never values of arguments, code or secrets. */
export type AuditDetails = Record<string, string | number | boolean | null | readonly string[]>;

/** An action to record. The hashes are those of a tool's content, null where there is none. */
export interface AuditDeed {
  action: AuditAction;
  id: string;
  name?: string | null;
  beforeHash?: string | null;
  afterHash?: string | null;
  details?: AuditDetails;
}

export interface NewAuditEntry extends AuditActor, Required<AuditDeed> {
  entryId: string;
  tenantId: string;
}

export interface AuditEntry extends NewAuditEntry {
  /** The time by the database's clock, so that the entries of all processes have one order. */
  at: Date;
}

const PLATFORM: AuditActor = { role: "platform", keyId: null, agentId: null, requestId: null };

/** Null stands for the platform itself. */
export const auditActorOf = (by: Principal | null): AuditActor =>
  by === null
    ? PLATFORM
    : {
        role: by.role,
        keyId: by.keyId,
        agentId: by.role === "admin" ? null : by.agentId,
        requestId: by.requestId ?? null,
      };

/** The names of the fields that a change sets, those of `groups` one level deeper, as in `limits.weight`; sorted. */
export const changedFields = (change: object, groups: readonly string[] = []): string[] =>
  Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]: [string, unknown]) =>
      groups.includes(name) && typeof value === "object" && value !== null
        ? Object.keys(value).map((inner) => `${name}.${inner}`)
        : [name],
    )
    .toSorted();

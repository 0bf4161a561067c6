import { APPROVAL_ANSWERS } from "../approval/approval.ts";
import { seesCallOf } from "../execution/execution-scope.ts";
import { MCP_STATES } from "../mcp/mcp-server.ts";
import { MCP_GRANT_SCOPES } from "../mcp/mcp-access.ts";
import type { AuditAction } from "../tenant/audit.ts";
import type { TenantPrincipal } from "../tenant/principal.ts";
import { isThereIn, scopeOf } from "../tool/tool-scope.ts";
import { TOOL_STATUSES } from "../tool/tool.ts";

/** The type of an event's field: text, text that may be absent, a whole number, or one of a few words. */
export type TenantEventField = "text" | "text?" | "number" | readonly string[];

/** In place of a key's id, where nobody asked: a server offers other tools than before. */
export const BY_PLATFORM = "platform";

/** `by` is the id of the key that asked for it, or `BY_PLATFORM`. */
const TOOL_CHANGED = {
  toolId: "text",
  toolName: "text",
  toolVersion: "number",
  status: TOOL_STATUSES,
  by: "text",
} as const;

/** `toolVersion` is the one that waits or waited, beside the one that serves; `by` is the key that proposed or decided. */
const VERSION_CHANGED = {
  toolId: "text",
  toolName: "text",
  toolVersion: "number",
  contentHash: "text",
  by: "text",
} as const;

/** Why a person denied or rejected it; absent where no reason was given, and on events of older versions. */
const REASON = { reason: "text?" } as const;

/** What people set up has changed, under the name that the audit log has for it; `by` is the key, or `BY_PLATFORM`. */
const SET_UP = { id: "text", name: "text?", by: "text" } as const;

/** Those of the audit log's actions that are told so; an entry's `id` is its service's name. */
const SETUP_EVENTS = {
  "tenant.updated": SET_UP,
  "tenant.settings_updated": SET_UP,
  "policy.updated": SET_UP,
  "api_key.created": SET_UP,
  "api_key.rotated": SET_UP,
  "api_key.deleted": SET_UP,
  "approval.standing_revoked": SET_UP,
  "schedule.created": SET_UP,
  "schedule.updated": SET_UP,
  "schedule.paused": SET_UP,
  "schedule.resumed": SET_UP,
  "schedule.deleted": SET_UP,
  "config_service.created": SET_UP,
  "config_service.updated": SET_UP,
  "config_service.deleted": SET_UP,
  "config_service.registered": SET_UP,
  "config_service.released": SET_UP,
  "config_entry.created": SET_UP,
  "config_entry.updated": SET_UP,
  "config_entry.deleted": SET_UP,
  "mcp_server.created": SET_UP,
  "mcp_server.updated": SET_UP,
  "mcp_server.enabled": SET_UP,
  "mcp_server.disabled": SET_UP,
  "mcp_server.deleted": SET_UP,
  "mcp_server.granted": SET_UP,
  "mcp_server.grant_deleted": SET_UP,
  "device.paired": SET_UP,
  "device.changed": SET_UP,
  "device.removed": SET_UP,
  "scrub_rule.created": SET_UP,
  "scrub_rule.deleted": SET_UP,
} as const satisfies Partial<Record<AuditAction, typeof SET_UP>>;

export type SetupEvent = keyof typeof SETUP_EVENTS;

/** Whether followers are told of what the audit log calls so. */
export const isSetupEvent = (action: string): action is SetupEvent => Object.hasOwn(SETUP_EVENTS, action);

/** Every kind of event of a tenant with its fields. A new kind is one line here: types, checks and reference follow. */
export const TENANT_EVENTS = {
  "tool.created": TOOL_CHANGED,
  "tool.updated": TOOL_CHANGED,
  "tool.enabled": TOOL_CHANGED,
  "tool.disabled": TOOL_CHANGED,
  "tool.approved": TOOL_CHANGED,
  "tool.rejected": { ...TOOL_CHANGED, ...REASON },
  "tool.deleted": TOOL_CHANGED,
  "tool.version_proposed": VERSION_CHANGED,
  "tool.version_approved": VERSION_CHANGED,
  "tool.version_rejected": { ...VERSION_CHANGED, ...REASON },
  "approval.requested": {
    approvalId: "text",
    executionId: "text",
    toolId: "text",
    toolName: "text",
    toolVersion: "number",
    by: "text",
    expiresAt: "text",
  },
  /** `by` is empty where no person answered: nobody did in time, or the call was cancelled. */
  "approval.answered": {
    approvalId: "text",
    executionId: "text",
    toolId: "text",
    toolName: "text",
    toolVersion: "number",
    answer: [...APPROVAL_ANSWERS, "cancel"],
    by: "text",
    ...REASON,
  },
  /** `scope` and `grantee` say whose the tools would be; `by` is the key that asked. */
  "mcp.access_requested": {
    requestId: "text",
    server: "text",
    scope: MCP_GRANT_SCOPES,
    grantee: "text",
    by: "text",
  },
  "mcp.access_answered": {
    requestId: "text",
    server: "text",
    scope: MCP_GRANT_SCOPES,
    grantee: "text",
    answer: ["approved", "rejected"],
    by: "text",
    ...REASON,
  },
  "tool.quarantined": {
    toolId: "text",
    toolName: "text",
    toolVersion: "number",
    reason: "text",
    executionId: "text",
  },
  /** How a server of others' is going: a worker has connected, or could not, or lets go. */
  "mcp_server.state_changed": { name: "text", state: MCP_STATES, reason: "text?" },
  ...SETUP_EVENTS,
} as const satisfies Record<`${string}.${string}`, Readonly<Record<string, TenantEventField>>>;

type Value<F extends TenantEventField> = F extends "text" | "text?"
  ? string
  : F extends "number"
    ? number
    : F extends readonly (infer Word)[]
      ? Word
      : never;

type Kinds = typeof TENANT_EVENTS;
type Optional<Fields> = { [Name in keyof Fields]: Fields[Name] extends "text?" ? Name : never }[keyof Fields];
/** The data of an event with these fields. */
export type EventData<Fields> = {
  [Name in Exclude<keyof Fields, Optional<Fields>>]: Value<Extract<Fields[Name], TenantEventField>>;
} & { [Name in Optional<Fields>]?: string | undefined };

/** Of all kinds that have the same fields, one type. */
interface SetupNews {
  type: SetupEvent;
  data: EventData<typeof SET_UP>;
  agentId: string | null | undefined;
}

/** An event of a tenant as its cause reports it. */
export type TenantNews = SetupNews | ToldNews;

type ToldNews = {
  [Type in Exclude<keyof Kinds, SetupEvent>]: {
    type: Type;
    data: EventData<Kinds[Type]>;
    /**
     * The agent that owns the tool, or that the waiting call was made for; null: the tenant, or nobody. An event of an
     * older version has no such field. It decides who sees the event, and is not shown.
     */
    agentId: string | null | undefined;
  };
}[Exclude<keyof Kinds, SetupEvent>];

/** News with its place in the tenant's stream: `id` is `<ms>-<n>`, rises strictly, and orders as `compareEventIds` does. */
export type TenantEvent = TenantNews & { id: string; at: string };

/** News of the closed list with exactly its fields; null for anything else, of whatever shape. */
export function readTenantNews(value: unknown): TenantNews | null {
  const { type, data, agentId } = asRecord(value);
  if (typeof type !== "string" || !Object.hasOwn(TENANT_EVENTS, type)) return null;
  const read = readEventData(TENANT_EVENTS[type as keyof Kinds], data);
  if (read === null) return null;
  return {
    type,
    data: read,
    agentId: typeof agentId === "string" || agentId === null ? agentId : undefined,
    // The check above ensures this type.
  } as TenantNews;
}

/** Exactly these fields of what was said; null where one is missing or of another type. */
export function readEventData(
  kind: Readonly<Record<string, TenantEventField>>,
  data: unknown,
): Record<string, unknown> | null {
  const fields = Object.entries(kind);
  const said = asRecord(data);
  if (!fields.every(([name, field]) => holds(field, said[name]))) return null;
  return Object.fromEntries(
    fields.flatMap(([name]) => (said[name] === undefined ? [] : [[name, said[name]]])),
  );
}

/** Whether an event comes only to who asks for its type, and never to an agent: what people set up, and how it goes. */
export const isForPeople = (type: string): boolean =>
  isSetupEvent(type) || type === "mcp_server.state_changed" || type.startsWith("delivery.");

/** Whether news are there for a key: of a tool where the tool is, of a call where the call is too. */
export function seesNews(
  principal: Pick<TenantPrincipal, "role" | "agentId">,
  { type, agentId }: { type: string; agentId: string | null | undefined },
): boolean {
  if (isForPeople(type)) return principal.role !== "agent";
  if (!isThereIn(scopeOf(principal), agentId)) return false;
  return type.startsWith("tool.") || seesCallOf(principal, agentId);
}

function holds(field: TenantEventField, value: unknown): boolean {
  if (field === "text?" && value === undefined) return true;
  if (field === "text" || field === "text?") return typeof value === "string";
  if (field === "number") return Number.isSafeInteger(value);
  return field.includes(value as string);
}

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

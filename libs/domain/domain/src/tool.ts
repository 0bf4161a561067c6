import type { JsonObject } from "./json.ts";
import type { RunLimits } from "./limits.ts";

export const TOOL_STATUSES = ["active", "disabled", "pending_approval", "rejected"] as const;
export type ToolStatus = (typeof TOOL_STATUSES)[number];

/** Every move a tool may make between its statuses. A rejected tool stays for audit. */
export const TOOL_NEXT = {
  active: ["disabled"],
  disabled: ["active"],
  pending_approval: ["active", "rejected"],
  rejected: [],
} as const satisfies Record<ToolStatus, readonly ToolStatus[]>;

export const PERMISSIONS = ["network", "filesystem", "database", "shell", "email", "scheduling"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A tool that a model made and that asks for one of these waits for a person. */
export const DANGEROUS_PERMISSIONS: readonly Permission[] = ["shell", "filesystem", "email"];
/** What this build can grant; anything else is accepted with a warning and grants nothing. */
export const GRANTED_PERMISSIONS: readonly Permission[] = ["network"];

export const TOOL_NAME = /^[a-z][a-z0-9_]*$/;
export const TOOL_NAME_LENGTH_MAX = 64;

export type Creator = "user" | "llm";

export interface RequiredApiKey {
  name: string;
  displayName?: string;
  description?: string;
  category?: string;
  docsUrl?: string;
}

/** What affects a run: a change of any of these makes a new, immutable version. */
export interface ToolDefinition {
  code: string;
  /** JSON Schema of the arguments, `type: "object"`. */
  parameters: JsonObject;
  permissions: Permission[];
  limits: RunLimits;
  /** Patterns as `readAllowedHosts` writes them; null is any public host, an empty list none. */
  allowedHosts: string[] | null;
}

export interface Tool extends ToolDefinition {
  id: string;
  tenantId: string;
  name: string;
  description: string;
  category: string | null;
  status: ToolStatus;
  /** Why the platform, not a person, put it into its status; null otherwise. */
  statusReason: string | null;
  requiresApproval: boolean;
  /** May be run again although an earlier try asked for an effect. */
  idempotent: boolean;
  createdBy: Creator;
  metadata: JsonObject | null;
  requiredApiKeys: RequiredApiKey[];
  version: number;
  usageCount: number;
  lastUsedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

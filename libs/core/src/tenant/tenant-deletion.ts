import type { NewAuditEntry } from "./audit.ts";
import type { ExecutionKey } from "../execution/execution.ts";
import type { Tenant } from "./principal.ts";

/**
 * The data of a deleted tenant, in the order in which it goes: first whatever could still act, last whatever others depend
 * on. Rows that go with another row are not counted. The first two kinds are gone when the deletion is accepted.
 */
export const DELETION_KINDS = [
  "apiKeys",
  "dataKeys",
  "devices",
  "devicePairingCodes",
  "schedules",
  "deliveries",
  "dueLogs",
  "dueErasures",
  "logs",
  "attempts",
  "idempotencyKeys",
  "executions",
  "dryRuns",
  "toolVersions",
  "standingApprovals",
  "tools",
  "approvedCapabilities",
  "mcpGrants",
  "mcpAccessRequests",
  "mcpServers",
  "metaToolApprovals",
  "configEntries",
  "configServices",
  "scrubRules",
  "scrubCounts",
  "messageCounts",
  "memoryDocuments",
  "files",
  "fileChunks",
  "fileUsage",
  "dataDocuments",
  "dataCollections",
  "dataUsage",
  "auditEntries",
] as const;
export type DeletionKind = (typeof DELETION_KINDS)[number];

/** Rows of a kind are counted up to this bound; beyond it the count says "more". */
export const DELETION_LEFT_MAX = 10_000;

/** Kinds that are not here: none. */
export interface DeletionProgress {
  requestedAt: Date;
  gone: Partial<Record<DeletionKind, number>>;
  left: Partial<Record<DeletionKind, number>>;
}

/** Deletes tenants step by step: a worker may be killed between any two steps, and another one goes on. */
export interface TenantDeletionStore {
  /**
   * From here on the tenant's keys open nothing, no run of it begins, and its sealed texts can't be opened: its keys and
   * data keys go at once. `keyIds` are those of the deleted keys. `isNew` is false if this was done before; then
   * nothing is done, and `said` is not stored. Null if there is no such tenant.
   */
  begin(
    tenantId: string,
    said: NewAuditEntry,
  ): Promise<{ tenant: Tenant; isNew: boolean; keyIds: string[] } | null>;
  /** Null where there is no such tenant, or it is not being deleted. */
  progress(tenantId: string): Promise<DeletionProgress | null>;
  /**
   * Claims a due deletion for so long, and says how long ago `begin` was; null when none is due. The longest waiting one
   * comes first.
   */
  claim(leaseMs: number): Promise<{ tenantId: string; agedMs: number } | null>;
  /** Lets another one go on with it in so long. */
  release(tenantId: string, dueInMs: number): Promise<void>;
  /** Executions that have not ended, up to so many. */
  listOpen(tenantId: string, limit: number): Promise<ExecutionKey[]>;
  /** Deletes some of its schedules and returns their ids; an empty list means that none is left. */
  dropSchedules(tenantId: string): Promise<string[]>;
  /** Some of this kind, few enough to hold nobody up; how many, 0: none is left. */
  drop(tenantId: string, kind: Exclude<DeletionKind, "schedules">): Promise<number>;
  /** The tenant itself, where nothing of it is left but the audit entry of `begin`. Answers whether it is gone. */
  finish(tenantId: string): Promise<boolean>;
}

/** A tenant's data outside of the database. */
export interface TenantRemnants {
  /** Forgets all of it that is found by the tenant's id; says how many keys that were. Rejects with `service.unavailable`. */
  clear(tenantId: string, signal: AbortSignal): Promise<number>;
}

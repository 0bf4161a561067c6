import type { AuditAction, AuditDeed, AuditEntry, AuditSubject, NewAuditEntry } from "./audit.ts";
import type { Principal } from "./principal.ts";

/** Use cases record here what they have done, after it is done. */
export interface AuditLog {
  /**
   * Null stands for the platform itself. Never rejects: an entry that can't be stored is reported, and the change stands.
   */
  record(by: Principal | null, tenantId: string, ...deeds: AuditDeed[]): Promise<void>;
}

/** One page of a tenant's entries; unset fields match all. */
export interface AuditPage {
  action?: AuditAction;
  subjectType?: AuditSubject;
  subjectId?: string;
  keyId?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Goes on behind this entry; empty where it is not there any more. */
  before?: string;
  limit: number;
}

/** Only grows: entries can't be changed, and are dropped by age alone. */
export interface AuditStore {
  insert(entries: NewAuditEntry[]): Promise<void>;
  /** Newest first. */
  list(tenantId: string, page: AuditPage): Promise<AuditEntry[]>;
  /**
   * Drops up to `atOnce` entries that are older than so many days, and no younger ones than
   * `AUDIT_RETENTION_DAYS_MIN`; says how many.
   */
  dropOld(retentionDays: number, atOnce: number): Promise<number>;
}

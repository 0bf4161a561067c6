import type { ApprovalsAsked } from "./approval-store.ts";
import type { PersonsAnswer } from "./approval.ts";
import type { MetaToolApproval, MetaToolOutcome } from "./meta-tool-approval.ts";

export type MetaToolApprovalKey = Pick<MetaToolApproval, "tenantId" | "approvalId">;
export type NewMetaToolApproval = Omit<MetaToolApproval, "status" | "answer" | "outcome">;
/** A call that was allowed, in the hands of one process until its lease ends. */
export interface MetaToolRun {
  approval: MetaToolApproval;
  /** Counts the runs of this call from 1, and is the fencing token of this one. */
  run: number;
}

/** Calls of meta-tools that wait for a person. Every answer is a compare-and-set, and so is the end of a run. */
export interface MetaToolApprovalStore {
  insert(approval: NewMetaToolApproval): Promise<void>;
  find(key: MetaToolApprovalKey): Promise<MetaToolApproval | null>;
  /** Newest first; `before` is the id of the last one of the page before. */
  list(tenantId: string, asked: ApprovalsAsked): Promise<MetaToolApproval[]>;
  /** True for exactly one answer, and only before the call expires. */
  answer(key: MetaToolApprovalKey, answer: PersonsAnswer): Promise<boolean>;
  /** Answers those that nobody answered in time, with their final state. */
  expireOverdue(limit: number): Promise<MetaToolApproval[]>;
  /** Null where it is not allowed, is done, or is another's for the moment. */
  claim(key: MetaToolApprovalKey, leaseMs: number): Promise<MetaToolRun | null>;
  /** Allowed so many milliseconds ago or longer, not done, and nobody's. */
  listUndone(forMs: number, limit: number): Promise<MetaToolApprovalKey[]>;
  /** False if another worker has taken the lease. */
  finish(key: MetaToolApprovalKey, run: number, outcome: MetaToolOutcome): Promise<boolean>;
  /** Deletes those whose last change is older than so many days; at most `limit`. */
  dropOld(days: number, limit: number): Promise<number>;
}

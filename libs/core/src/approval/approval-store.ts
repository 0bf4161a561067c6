import type {
  AllowAnswer,
  Approval,
  ApprovalRule,
  CommandRule,
  ApprovalStatus,
  PersonsAnswer,
  StandingApproval,
  StandingUses,
} from "./approval.ts";
import type { ExecutionKey } from "../execution/execution.ts";
import type { JsonObject } from "../json/json.ts";
import type { ToolScope } from "../tool/tool-scope.ts";
import type { Admission } from "../execution/execution-queue.ts";

/** The standing approval that `allow_always` creates. */
export type NewStanding = Pick<StandingApproval, "standingId" | "pattern">;

/** The rule that it adds to the tenant's settings for a tool that comes with the platform, before those that are there. */
export type NewRule = { rule: ApprovalRule } | { command: CommandRule };

/** Which calls a list has: of these statuses, of one agent's if it is named, behind the one of this id. */
export interface ApprovalsAsked {
  statuses: readonly ApprovalStatus[];
  agentId?: string;
  before?: string;
  limit: number;
}

/**
 * Calls that wait for a person, and standing approvals. Every answer is a compare-and-set; a denial is
 * `ExecutionStore.endFromOutside`, an answer that never came `ExecutionStore.expireOverdue`.
 */
export interface ApprovalStore {
  /** Null for an execution that never had to wait. */
  find(key: ExecutionKey): Promise<Approval | null>;
  /** Newest first; `before` is the execution's id of the last one of the page before. */
  list(tenantId: string, asked: ApprovalsAsked): Promise<Approval[]>;
  /** How many wait, of one agent's if it is named, with the calls of meta-tools, counted up to `max`. */
  countWaiting(tenantId: string, max: number, agentId?: string): Promise<number>;
  /**
   * Moves a waiting call to queued, records who answered and, if the answer has them, other arguments than were asked for;
   * the original ones stay on record. The deadline is counted anew from now. Succeeds for exactly one answer, and only
   * before the call expires; null for all others. With `standing` both are stored or neither (an existing approval is
   * kept); throws `approval.too_many_standing` when the tenant has `standingMax`, and `approval.too_many_rules` where the
   * settings hold no more.
   */
  allow(
    key: ExecutionKey,
    answer: PersonsAnswer & { answer: AllowAnswer; arguments?: JsonObject | undefined },
    standing: NewStanding | NewRule | null,
    standingMax: number,
  ): Promise<Admission | null>;
  /** The standing approvals of one version of a tool, while that version serves. */
  standingOf(tenantId: string, toolId: string, version: number): Promise<NewStanding[]>;
  /** Adds to their counts; those that are gone are passed over. */
  countStandingUses(uses: StandingUses): Promise<void>;
  /**
   * The standing approvals of the tools in the scope, newest first; `before` is the id of the last one of the page before.
   */
  listStanding(
    tenantId: string,
    page: { scope: ToolScope; before?: string; limit: number },
  ): Promise<StandingApproval[]>;
  /** False where there is none. From the answer on, no call is let through by it. */
  deleteStanding(tenantId: string, standingId: string): Promise<boolean>;
}

import type { AllowAnswer, Approval, PersonsAnswer, StandingApproval } from "./approval.ts";
import type { ExecutionKey } from "../execution/execution.ts";
import type { JsonObject } from "../json/json.ts";
import type { ToolScope } from "../tool/tool-scope.ts";
import type { Admission } from "../execution/execution-queue.ts";

/** What is remembered with `allow_always`. */
export type NewStanding = Pick<StandingApproval, "standingId" | "pattern">;

/**
 * Calls that wait for a person, and what was allowed for good. Every answer is a compare-and-set; a denial is
 * `ExecutionStore.endFromOutside`, an answer that never came `ExecutionStore.expireOverdue`.
 */
export interface ApprovalStore {
  /** Null for an execution that never had to wait. */
  find(key: ExecutionKey): Promise<Approval | null>;
  /** Those that still wait, of one agent's where one is named, newest first; `before` is the execution's id of the last one of the page before. */
  listWaiting(
    tenantId: string,
    page: { agentId?: string; before?: string; limit: number },
  ): Promise<Approval[]>;
  /** How many wait, with the calls of meta-tools, counted up to `max`. */
  countWaiting(tenantId: string, max: number): Promise<number>;
  /**
   * Waiting to queued, with who said so and, where the answer has some, other arguments than were asked for, which stay on record, its deadline counted anew from now: for exactly one answer, and only before the
   * call expires; null for the others. With `standing`, remembers that too, both or neither (one that is there already is
   * kept); throws `approval.too_many_standing` where the tenant has `standingMax`.
   */
  allow(
    key: ExecutionKey,
    answer: PersonsAnswer & { answer: AllowAnswer; arguments?: JsonObject | undefined },
    standing: NewStanding | null,
    standingMax: number,
  ): Promise<Admission | null>;
  /** Of one version of a tool, while it serves. */
  standingOf(tenantId: string, toolId: string, version: number): Promise<Pick<StandingApproval, "pattern">[]>;
  /** Of the tools in the scope, newest first; `before` is the id of the last one of the page before. */
  listStanding(
    tenantId: string,
    page: { scope: ToolScope; before?: string; limit: number },
  ): Promise<StandingApproval[]>;
  /** False where there is none. From the answer on, no call is let through by it. */
  deleteStanding(tenantId: string, standingId: string): Promise<boolean>;
}

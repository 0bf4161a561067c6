import { approvalIdOf, type ApprovalStatus, type ExecutionApproval } from "./approval.ts";
import type { CallContext } from "../execution/call-context.ts";
import { newExecutionId } from "../ids.ts";
import type { JsonObject } from "../json/json.ts";

/** The meta-tools on which a person has the last word. */
export const CONFIRMED_META_TOOLS = ["create_tool", "delete_custom_tool"] as const;
export type ConfirmedMetaTool = (typeof CONFIRMED_META_TOOLS)[number];

/** The call of a meta-tool that a person is asked about. */
export interface ConfirmedCall {
  name: ConfirmedMetaTool;
  /** The tool to delete, or the id that the created tool will have, however often the call is run. */
  toolId: string;
  /** As the model wrote them, without its context. */
  arguments: JsonObject;
  context: CallContext;
}

/** A fault as it is kept: the fields of its problem that don't depend on a request. */
export interface KeptProblem {
  code: string;
  title: string;
  status: number;
  detail: string;
  retryable: boolean;
  errors: JsonObject[];
}

/** The outcome of an allowed call: the meta-tool's answer, or why it failed. */
export type MetaToolOutcome = { result: JsonObject } | { problem: KeptProblem };

/** A meta-tool's call that waits, or waited, for a person. It has no execution: the API does it itself. */
export interface MetaToolApproval extends ConfirmedCall {
  approvalId: string;
  tenantId: string;
  /** The id of the key that called. */
  requestedBy: string;
  /** The agent of that key. */
  agentId: string | null;
  createdAt: Date;
  expiresAt: string;
  /** Never `cancelled`. */
  status: ApprovalStatus;
  answer: ExecutionApproval["answer"];
  /** Null until the allowed call has been made. */
  outcome: MetaToolOutcome | null;
}

/** Ordered by time with those of executions, and never one of theirs. */
export const newApprovalId = (at: Date): string => approvalIdOf(newExecutionId(at));

import type { ExecutionSource, ExecutionStatus } from "./execution.ts";
import type { OutcomeCode } from "./outcome.ts";

/** Which executions are meant: those for which everything holds that is said. */
export interface ExecutionFilter {
  /** Any of these; at least one. */
  statuses?: readonly ExecutionStatus[];
  toolId?: string;
  /** As it was when they were accepted. */
  toolName?: string;
  toolVersion?: number;
  /** Only calls for this agent, with the calls that they made. */
  agentId?: string;
  /** The id of the key that asked for them. */
  requestedBy?: string;
  source?: ExecutionSource;
  errorCode?: OutcomeCode;
  conversationId?: string;
  parentId?: string;
  scheduleId?: string;
  /** Accepted at this moment or later, to the millisecond. */
  from?: Date;
  /** Accepted before this moment. */
  to?: Date;
  /** Ended, and so long after they were accepted or longer. */
  minMs?: number;
  /** Ended, and so long after they were accepted at most. */
  maxMs?: number;
}

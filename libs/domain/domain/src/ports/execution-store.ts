import type {
  AttemptKey,
  Ending,
  Execution,
  ExecutionKey,
  ExecutionStatus,
  InlineTool,
  NestedExecution,
  NewExecution,
} from "../execution.ts";
import type { ToolStatus } from "../tool.ts";

/** What a worker needs to run an attempt it has just won. */
export interface ClaimedExecution extends AttemptKey {
  toolId: string | null;
  toolName: string;
  toolVersion: number;
  /** Null when the tool is gone; a dry run is always active. */
  toolStatus: ToolStatus | null;
  inlineTool: InlineTool | null;
  argumentsJson: string;
  context: Execution["context"];
  createdAt: Date;
  deadlineAt: Date;
  traceId: string;
  /** Whether the call came by an agent's key. */
  byAgent: boolean;
  /** From acceptance to this claim by the database's clock, in milliseconds. */
  waitedMs: number;
}

export interface ExecutionPage {
  status?: ExecutionStatus;
  toolId?: string;
  toolName?: string;
  before?: string;
  limit: number;
}

/** An execution that a sweep found queued, or made so again; `attempt` is the next one, ready to be admitted. */
export interface SweptExecution extends AttemptKey {
  maxConcurrentExecutions: number;
}

/**
 * The truth about executions. Every change is a compare-and-set on status and attempt, decided in the query.
 * `insert`, `claim`, `markEffect` and `finish` are group-committed: they resolve after the commit.
 */
export interface ExecutionStore {
  insert(execution: NewExecution): Promise<void>;
  /** Starts the attempt for exactly one caller: null when it is no longer queued or its number is not the next. */
  claim(attempt: AttemptKey, workerId: string, leaseMs: number): Promise<ClaimedExecution | null>;
  /**
   * Inserts an execution that runs at once, as its attempt 1: `begun` for a caller that still holds its own attempt, while
   * the tool is active. Else nothing is inserted.
   */
  beginNested(
    execution: NestedExecution,
    workerId: string,
    leaseMs: number,
  ): Promise<"begun" | "caller_gone" | "not_active">;
  /**
   * Makes the holder's attempt the next one, still running and still its own; false when it is not held any more, when an
   * effect was asked for and the tool is not idempotent, or when it was tried too often.
   */
  tryAgain(attempt: AttemptKey, leaseMs: number): Promise<boolean>;
  /** To be called before an attempt's first effect; false when the attempt no longer holds its lease: then no effect may happen. */
  markEffect(attempt: AttemptKey): Promise<boolean>;
  /** Ends the attempt for its holder; null when someone else already moved the execution on. Counts the tool's usage. */
  finish(attempt: AttemptKey, ending: Ending, endEventId: string): Promise<Execution | null>;
  /**
   * `finish` for a run that killed its process: counts it against the version of its tool where that is the one that runs,
   * and disables the tool, with the reason, at the `convictionsMax`th. All or nothing. When repeated, `quarantined` is false.
   */
  convict(
    attempt: AttemptKey,
    ending: Ending,
    endEventId: string,
    convictionsMax: number,
  ): Promise<{ ended: Execution; quarantined: boolean } | null>;
  /** Running back to queued, for a holder that stops. Refused (`kept`) when an effect was asked for and the tool is not idempotent. */
  handBack(attempt: AttemptKey): Promise<"queued" | "kept" | "gone">;
  /** Extends the leases of these attempts; answers the ones that are still held. */
  renewLeases(attempts: AttemptKey[], leaseMs: number): Promise<AttemptKey[]>;
  /**
   * Ends an execution from outside its attempt (cancel, deadline); null when it had already ended or does not exist.
   * The end event's id is `outsiderEndEventId(attempt)`.
   */
  endFromOutside(key: ExecutionKey, ending: Pick<Ending, "status" | "error">): Promise<Execution | null>;
  find(key: ExecutionKey): Promise<Execution | null>;
  /** Newest first; `before` is the id of the last execution of the page before. */
  list(tenantId: string, page: ExecutionPage): Promise<Execution[]>;

  /** Executions that are queued past their deadline, each ended as `timed_out`. */
  expireOverdue(limit: number): Promise<Execution[]>;
  /** Queued for longer than `olderThanMs`, oldest first, from behind `after`. */
  listQueued(olderThanMs: number, after: string | null, limit: number): Promise<SweptExecution[]>;
  /**
   * Running attempts whose lease ran out: back to queued where no effect was asked for or the tool is idempotent,
   * else ended as `lost`, as is always what another execution's tool asked for. Both are answered.
   */
  recoverExpiredLeases(limit: number): Promise<{ requeued: SweptExecution[]; lost: Execution[] }>;
  /** Makes the partitions of the coming weeks. */
  ensurePartitions(): Promise<void>;
}

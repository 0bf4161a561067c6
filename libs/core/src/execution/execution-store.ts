import type { ApprovalSettings, Asking, PersonsAnswer } from "../approval/approval.ts";
import type {
  AttemptKey,
  Ending,
  EndingLayer,
  Execution,
  ExecutionKey,
  ExecutionSource,
  ExecutionStatus,
  ExecutionSummary,
  IdempotencyKey,
  InlineTool,
  NestedExecution,
  NewExecution,
  PastAttempt,
  Usage,
} from "./execution.ts";
import type { ExecutionFilter } from "./execution-filter.ts";
import type { CallContext } from "./call-context.ts";
import type { JsonObject } from "../json/json.ts";
import type { RunLimits } from "../limit/limits.ts";
import type { ByteRange, PayloadBytes, PayloadPart } from "./payload.ts";
import type { Retention } from "./retention.ts";
import type { SearchWord } from "../tool/search-words.ts";
import type { Creator, RetryPolicy, ToolStatus } from "../tool/tool.ts";
import type { Admission } from "./execution-queue.ts";

/** Everything that a worker needs to run an attempt that it has claimed, or is about to claim with its end. */
export interface ClaimedExecution extends AttemptKey {
  toolId: string | null;
  toolName: string;
  toolVersion: number;
  /** Null when the tool or its tenant is gone, or the tenant is being deleted; else a dry run is always active. */
  toolStatus: ToolStatus | null;
  inlineTool: InlineTool | null;
  argumentsJson: string;
  context: Execution["context"];
  /**
   * The agent whose tools come before the tenant's when its code looks up a name; null: only the tenant's tools count. For
   * a stored tool it is the tool's own agent, whoever calls it; for a script that came with its call, the agent of that
   * call.
   */
  scopeAgentId: string | null;
  /** The maker of the tool; null for a script that came with its call. */
  madeBy: Creator | null;
  createdAt: Date;
  deadlineAt: Date;
  traceId: string;
  /** As in `NewExecution`. */
  traceparent: string | null;
  source: ExecutionSource;
  /** As in `NewExecution`. */
  requestedBy: string;
  /** Whether the call came by an agent's key. */
  byAgent: boolean;
  retry: RetryPolicy | null;
  idempotent: boolean;
  /** The upper bounds of a run of the tenant's. */
  ceilings: RunLimits;
  /** The tenant's settings for the calls of its agents. */
  approvals: ApprovalSettings;
  /** As in `NewExecution`, and the tenant's setting for the tools that it calls. */
  retention: Retention | null;
  tenantRetention: Retention | null;
  /** The tenant's setting for filling in defaults of parameters, for tools that have none of their own. */
  applyDefaults: boolean;
  /** Rises with every change of the tenant's policy; 0: it has none. */
  policyVersion: number;
  /** Whether a person was asked about the call, and let it run. */
  isAllowed?: boolean;
  /** Whether the tool's `approvalCode` is to be asked before it runs; false once a person was. */
  toolDecides?: boolean;
  /** Whether an earlier try was lost with its worker or process, and may have caused the loss. */
  suspect: boolean;
  /** How many earlier tries have failed: one that was lost, was handed back or had a person asked is none of them. */
  failures: number;
  /** The time from acceptance to this claim by the database's clock, in milliseconds. */
  waitedMs: number;
  /** The same from when it was queued for this attempt; the pause before a retry is over by then. */
  queuedMs: number;
}

export interface ExecutionPage extends ExecutionFilter {
  /** Only those behind this id: the `next` of the page before. */
  before?: string;
  /**
   * Only executions whose logs contain all these words, as `accentedSearchWords` makes them, the last one perhaps as the
   * beginning of a longer one; at least one.
   */
  logWords?: readonly SearchWord[];
  limit: number;
}

/** A page of a list of executions. */
export interface ListedExecutions {
  executions: ExecutionSummary[];
  /** The id behind which the next page begins; null: there is no more. */
  next: string | null;
  /** How many the page looked at where it ends for that and not because it is full; null where it does not. */
  scanned: number | null;
}

/** A call to be made again. */
export interface Replayable extends ExecutionKey {
  status: ExecutionStatus;
  /** Null where the call can't be made again: it was a dry run, or a nested call. */
  toolId: string | null;
  arguments: JsonObject;
  context: CallContext;
  timeoutMs: number;
  priority: number;
  /** As in `NewExecution`. */
  retention: Retention | null;
  /** Whether its arguments are not there any more. */
  isErased: boolean;
}

/** The usage of a run that somebody else ended: only its holder knows it, once the guest is dead. */
export type LateBill = Pick<Ending, "usage" | "timings"> & { endedBy: EndingLayer };

/** The claim of an attempt that runs already. */
export interface ClaimOfRun {
  /** For how long, in milliseconds. */
  ranMs: number;
  /** This run tried to claim before and got no answer: if this worker holds the attempt, that claim succeeded. */
  mayBeMine: boolean;
}

/** The claim of an attempt that ran without one, made with its end. */
export interface ClaimWithEnd {
  workerId: string;
  /** For how long it ran, in milliseconds. */
  ranMs: number;
}

/** The outcome of an insert under an idempotency key. */
export type InsertOnce = { outcome: "inserted" } | ({ outcome: "known" } & KnownCall);

/** The call that a key stands for. */
export interface KnownCall {
  executionId: string;
  /** Whether it was asked for by the same call. */
  sameBody: boolean;
  /** Whether its data were deleted since. */
  isDeleted: boolean;
}

/**
 * The truth about executions. Every change is a compare-and-set on status and attempt, decided in the query.
 * `insert`, `look`, `claim`, `markEffect` and `finish` are group-committed: they resolve after the commit.
 */
export interface ExecutionStore {
  insert(execution: NewExecution): Promise<void>;
  /** Inserts all in one transaction. */
  insertBatch(executions: NewExecution[]): Promise<void>;
  /**
   * Inserts the first call under a key; otherwise answers with the execution that a key of the last `IDEMPOTENCY_HOURS`
   * stands for. All calls share one transaction; the answers are in the order of the calls. If another request holds the
   * key of a batch, none of its parts is inserted, and each is `known` with another body.
   */
  insertOnce(calls: { execution: NewExecution; once: IdempotencyKey }[]): Promise<InsertOnce[]>;
  /** The known calls of several keys, by key. */
  findByKeys(tenantId: string, keys: readonly IdempotencyKey[]): Promise<Map<string, KnownCall>>;
  /** The execution that a key stands for; null for a new key. */
  findByKey(tenantId: string, once: IdempotencyKey): Promise<KnownCall | null>;
  /**
   * Reads what `claim` would answer at this moment, and takes nothing. Others may look and claim meanwhile, so a run that
   * relies on it must do nothing noticeable before it has claimed.
   */
  look(attempt: AttemptKey): Promise<ClaimedExecution | null>;
  /** Starts the attempt for exactly one caller: null when it is no longer queued or its number is not the next. */
  claim(
    attempt: AttemptKey,
    workerId: string,
    leaseMs: number,
    how?: ClaimOfRun,
  ): Promise<ClaimedExecution | null>;
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
  /** To be called before an attempt's first effect, renews its lease; false when the attempt no longer holds its lease: then no effect may happen. */
  markEffect(attempt: AttemptKey, leaseMs: number): Promise<boolean>;
  /**
   * Ends the attempt for its holder; null when someone else already moved the execution on. Counts the tool's usage. With
   * `claim` it is for a run without a claim: claimed and ended at once, or not at all.
   */
  finish(
    attempt: AttemptKey,
    ending: Ending,
    endEventId: string,
    claim?: ClaimWithEnd | null,
  ): Promise<Execution | null>;
  /**
   * `finish` for a run that killed its process: counts it against the version of its tool where that is the one that runs,
   * and disables the tool, with the reason, at the `convictionsMax`th. All or nothing. When repeated, `quarantined` is false.
   * `agentId` is the agent whose tool was disabled, null where it was the tenant's.
   */
  convict(
    attempt: AttemptKey,
    ending: Ending,
    endEventId: string,
    convictionsMax: number,
  ): Promise<{ ended: Execution; quarantined: boolean; agentId?: string | null } | null>;
  /**
   * Running back to queued, to be tried again in `delayMs`, with how this try ended put on record; null when someone else
   * moved the execution on, `triesMax` tries have failed with this one, an effect was asked for and the tool is not idempotent, or its deadline comes first.
   */
  retryLater(
    attempt: AttemptKey,
    ending: Ending,
    when: { delayMs: number; triesMax: number },
  ): Promise<Admission | null>;
  /**
   * Running to waiting for a person for so long, for its holder, before anything of its tool but the `approvalCode` has run;
   * answers when that expires, null when someone else moved the execution on. Its time begins anew with the answer.
   * `askedEventId` is the id of the event that will tell of it.
   */
  awaitPerson(
    attempt: AttemptKey,
    asked: { asking: Asking; askedEventId: string },
    usage: Usage,
    waitMs: number,
  ): Promise<string | null>;
  /** Tries that are over, oldest first; the last one of an ended execution is the execution itself. */
  listAttempts(key: ExecutionKey): Promise<PastAttempt[]>;
  /** Everything that a new execution needs to repeat this one's call; null when there is none. */
  findReplayable(key: ExecutionKey): Promise<Replayable | null>;
  /** Running back to queued, for a holder that stops. Refused (`kept`) when an effect was asked for and the tool is not idempotent. */
  handBack(attempt: AttemptKey): Promise<Admission | "kept" | "gone">;
  /** Extends the leases of these attempts; answers the ones that are still held. */
  renewLeases(attempts: AttemptKey[], leaseMs: number): Promise<AttemptKey[]>;
  /**
   * Ends an execution from outside its attempt (cancel, deadline); null when it had already ended or does not exist.
   * The end event's id is `outsiderEndEventId(attempt)`. An answer of a person is put on record with it.
   */
  endFromOutside(
    key: ExecutionKey,
    ending: Pick<Ending, "status" | "error"> & { answer?: PersonsAnswer },
  ): Promise<Execution | null>;
  /** Adds the usage to an execution that was ended from outside while this very attempt ran; true the first time only. */
  billOutside(attempt: AttemptKey, bill: LateBill): Promise<boolean>;
  /** Null also where it was deleted, as for all that looks for executions. */
  find(key: ExecutionKey): Promise<Execution | null>;
  /** Bytes of a payload's JSON text; null where there is no such execution. Past the end there are none. */
  readPayload(key: ExecutionKey, part: PayloadPart, range: ByteRange): Promise<PayloadBytes | null>;
  /**
   * Newest first. A page looks at a bounded number of executions, so where few match it may hold fewer than its limit, even
   * none, and yet have a `next`.
   */
  list(tenantId: string, page: ExecutionPage): Promise<ListedExecutions>;
  /**
   * Calls that match, have ended, can be made again and have not been, and whose arguments are kept; newest first. Bounded
   * in bytes too, so it may be fewer than the limit, yet at least one that matches.
   */
  listReplayable(tenantId: string, filter: ExecutionFilter, limit: number): Promise<Execution[]>;

  /** Executions that are queued past their deadline, each ended as `timed_out`, and that nobody allowed in time, as `denied`. */
  expireOverdue(limit: number): Promise<Execution[]>;
  /** Queued for longer than `olderThanMs`, oldest first, from behind `after`. */
  listQueued(olderThanMs: number, after: string | null, limit: number): Promise<Admission[]>;
  /**
   * Running attempts whose lease ran out: back to queued if no effect was asked for or the tool is idempotent, else ended
   * as `lost`; calls of another execution's tool always end as `lost`. Both are answered.
   */
  recoverExpiredLeases(limit: number): Promise<{ requeued: Admission[]; lost: Execution[] }>;
  /**
   * The same for the running attempts of these workers, whatever is left of their leases. Only for processes whose end was
   * seen: silence proves no death, and the attempts of a living worker would run twice.
   */
  recoverAttemptsOf(
    workerIds: readonly string[],
    limit: number,
  ): Promise<{ requeued: Admission[]; lost: Execution[] }>;
  /** Forgets idempotency keys that are over; answers how many. */
  dropOldKeys(limit: number): Promise<number>;
  /**
   * Drops executions that ended and began longer ago than so many days, by whole weeks; answers how many partitions went.
   */
  dropOldExecutions(days: number): Promise<number>;
  /** Makes the partitions of the coming weeks. */
  ensurePartitions(): Promise<void>;
}

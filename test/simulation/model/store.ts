import {
  EXECUTION_ATTEMPTS_MAX,
  outsiderEndEventId,
  statusesBefore,
  type Admission,
  type AttemptKey,
  type ClaimedExecution,
  type ClaimOfRun,
  type ClaimWithEnd,
  type Ending,
  type Execution,
  type ExecutionKey,
  type IdempotencyKey,
  type InsertOnce,
  type KnownCall,
  type LateBill,
  type LimitsAsOf,
  type NewExecution,
  type ToolStatus,
} from "@bulkhead/core";
import {
  endRow,
  holdRow,
  isHeldBy,
  mayRunAgain,
  newRow,
  requeue,
  toAdmission,
  toClaimed,
  toExecution,
  type Row,
} from "./execution-row.ts";
import type { History } from "../history.ts";
import { ModelKeys } from "./keys.ts";

export interface StoreFacts {
  now: () => number;
  limitsOf: (tenantId: string) => LimitsAsOf;
  toolStatus: (toolId: string) => ToolStatus;
  history: Pick<History, "tell">;
}

/**
 * The execution store in memory: the same compare-and-sets as the queries of the database adapter, each method one
 * transaction. What no simulated process calls (nested calls, lists, housekeeping) is not here.
 */
export class StoreModel {
  readonly rows = new Map<string, Row>();
  protected readonly facts: StoreFacts;
  protected readonly keys = new ModelKeys();

  constructor(facts: StoreFacts) {
    this.facts = facts;
  }

  insertBatch(executions: NewExecution[]): void {
    for (const execution of executions) {
      this.rows.set(execution.executionId, newRow(execution, this.now));
      this.#tell("inserted", execution.executionId, 0);
    }
  }

  insertOnce(calls: { execution: NewExecution; once: IdempotencyKey }[]): InsertOnce[] {
    const contested = this.keys.takeRequest(calls, this.now);
    if (contested) return calls.map(() => contested);
    return calls.map((call) => {
      const known = this.keys.take(call, this.now);
      if (!known) this.insertBatch([call.execution]);
      return known ? { outcome: "known", ...known } : { outcome: "inserted" };
    });
  }

  findByKeys(tenantId: string, keys: readonly IdempotencyKey[]) {
    const known = keys.map((once) => [once.key, this.findByKey(tenantId, once)] as const);
    return new Map(known.flatMap(([key, found]) => (found ? [[key, found]] : [])));
  }

  findByKey(tenantId: string, once: IdempotencyKey): KnownCall | null {
    return this.keys.find(tenantId, once, this.now);
  }

  claim(key: AttemptKey, workerId: string, leaseMs: number, how?: ClaimOfRun): ClaimedExecution | null {
    const row = this.rows.get(key.executionId);
    if (how?.mayBeMine && isHeldBy(row, key) && row.workerId === workerId) {
      row.leaseUntil = this.now + leaseMs;
      return this.#toRun(row, key);
    }
    const seen = this.look(key);
    if (seen) this.#hold(key, workerId, this.now + leaseMs);
    return seen;
  }

  look(key: AttemptKey): ClaimedExecution | null {
    const row = this.rows.get(key.executionId);
    return row && this.mayClaim(row, key) ? this.#toRun(row, key) : null;
  }

  #toRun(row: Row, key: AttemptKey): ClaimedExecution {
    const { toolId } = row.born;
    const toolStatus = toolId === null ? "active" : this.facts.toolStatus(toolId);
    return toClaimed(row, key, this.facts.limitsOf(key.tenantId).limits, toolStatus, this.now);
  }

  tryAgain(key: AttemptKey, leaseMs: number): boolean {
    const row = this.rows.get(key.executionId);
    if (!isHeldBy(row, key) || row.attempt >= EXECUTION_ATTEMPTS_MAX || !mayRunAgain(row)) return false;
    row.attempt += 1;
    row.lostTries += 1;
    row.effects = false;
    row.startedAt = this.now;
    row.leaseUntil = this.now + leaseMs;
    this.#tell("claimed", key.executionId, row.attempt);
    return true;
  }

  markEffect(key: AttemptKey, leaseMs: number): boolean {
    const row = this.rows.get(key.executionId);
    if (!isHeldBy(row, key) || !this.isLeased(row)) return false;
    row.effects = true;
    row.leaseUntil = Math.max(row.leaseUntil ?? 0, this.now + leaseMs);
    return true;
  }

  finish(
    key: AttemptKey,
    ending: Ending,
    endEventId: string,
    claim: ClaimWithEnd | null = null,
  ): Execution | null {
    const row = this.rows.get(key.executionId);
    if (!row) return null;
    if (claim && this.mayClaimWithEnd(row, key)) this.#hold(key, claim.workerId, null);
    else if (claim || !this.mayFinish(row, key)) return this.#endedBefore(row, key, endEventId, claim);
    const { status, result, error, usage, timings, endedBy } = ending;
    row.ended = { result, error, usage, timings, endedBy };
    return this.#end(row, status, endEventId, key.attempt);
  }

  convict(key: AttemptKey, ending: Ending, endEventId: string) {
    const ended = this.finish(key, ending, endEventId);
    return ended && { ended, quarantined: false };
  }

  retryLater(
    key: AttemptKey,
    _ending: Ending,
    when: { delayMs: number; triesMax: number },
  ): Admission | null {
    const row = this.rows.get(key.executionId);
    if (!isHeldBy(row, key) || !mayRunAgain(row)) return null;
    if (row.born.deadlineAt.getTime() <= this.now + when.delayMs) return null;
    if (row.failedTries + 1 >= when.triesMax) return null;
    row.failedTries += 1;
    return this.#requeue(row, when.delayMs);
  }

  handBack(key: AttemptKey): Admission | "kept" | "gone" {
    const row = this.rows.get(key.executionId);
    if (!isHeldBy(row, key)) return "gone";
    return mayRunAgain(row) ? this.#requeue(row, 0) : "kept";
  }

  renewLeases(attempts: AttemptKey[], leaseMs: number): AttemptKey[] {
    return attempts.filter((key) => {
      const row = this.rows.get(key.executionId);
      if (!isHeldBy(row, key)) return false;
      row.leaseUntil = this.now + leaseMs;
      return true;
    });
  }

  endFromOutside(key: ExecutionKey, { status, error }: Pick<Ending, "status" | "error">): Execution | null {
    const row = this.rows.get(key.executionId);
    if (!row || !this.mayEndFromOutside(row, status)) return null;
    row.ended = { ...row.ended, error };
    return this.#end(row, status, outsiderEndEventId(row.attempt), null);
  }

  billOutside(key: AttemptKey, { usage, timings, endedBy }: LateBill): boolean {
    const row = this.rows.get(key.executionId);
    if (!row || row.finishedAt === null || row.attempt !== key.attempt || row.startedAt === null)
      return false;
    if (row.ended.endedBy !== null || row.endEventId !== outsiderEndEventId(key.attempt)) return false;
    row.ended = { ...row.ended, usage, timings, endedBy };
    return true;
  }

  find({ executionId }: ExecutionKey): Execution | null {
    const row = this.rows.get(executionId);
    return row ? toExecution(row) : null;
  }

  expireOverdue(limit: number): Execution[] {
    const overdue = this.#all(
      limit,
      (row) => row.status === "queued" && row.born.deadlineAt.getTime() <= this.now,
    );
    const error = { code: "execution.deadline", message: "Too late." } as const;
    return overdue.map((row) => {
      row.ended = { ...row.ended, error };
      return this.#end(row, "timed_out", outsiderEndEventId(row.attempt), null);
    });
  }

  listQueued(olderThanMs: number, after: string | null, limit: number): Admission[] {
    const queued = this.#all(limit, (row) => {
      return (
        row.status === "queued" &&
        row.queuedAt <= this.now - olderThanMs &&
        row.born.executionId > (after ?? "")
      );
    });
    return queued.map((row) => this.#admission(row));
  }

  recoverExpiredLeases(limit: number): { requeued: Admission[]; lost: Execution[] } {
    const expired = this.#all(limit, (row) => row.status === "running" && !this.isLeased(row));
    const again = expired.filter((row) => this.mayRecover(row) && row.attempt < EXECUTION_ATTEMPTS_MAX);
    const lost = expired.filter((row) => !again.includes(row));
    for (const row of again) row.lostTries += 1;
    const error = { code: "execution.lost", message: "Its worker was lost." } as const;
    return {
      requeued: again.map((row) => this.#requeue(row, 0)),
      lost: lost.map((row) => {
        row.ended = { ...row.ended, error };
        return this.#end(row, "lost", outsiderEndEventId(row.attempt), null);
      }),
    };
  }

  protected get now(): number {
    return this.facts.now();
  }

  // The conditions that a mutant breaks one by one.
  protected mayClaim({ status, attempt }: Row, key: AttemptKey): boolean {
    return status === "queued" && attempt === key.attempt - 1;
  }
  protected mayClaimWithEnd(row: Row, key: AttemptKey): boolean {
    return this.mayClaim(row, key);
  }
  protected mayFinish(row: Row, key: AttemptKey): boolean {
    return isHeldBy(row, key);
  }
  protected mayRecover(row: Row): boolean {
    return mayRunAgain(row);
  }
  protected isLeased({ leaseUntil }: Row): boolean {
    return leaseUntil !== null && leaseUntil > this.now;
  }
  protected mayEndFromOutside({ status }: Row, to: Ending["status"]): boolean {
    return statusesBefore(to).includes(status);
  }

  #hold(key: AttemptKey, workerId: string, leaseUntil: number | null): void {
    const row = this.rows.get(key.executionId);
    if (!row) return;
    holdRow(row, { attempt: key.attempt, workerId, leaseUntil }, this.now);
    this.#tell("claimed", key.executionId, key.attempt);
  }

  /** The same answer for who was not heard, or did not hear it. */
  #endedBefore(row: Row, key: AttemptKey, endEventId: string, claim: ClaimWithEnd | null): Execution | null {
    const isOwn = row.attempt === key.attempt && row.endEventId === endEventId;
    return isOwn && (claim === null || row.workerId === claim.workerId) ? toExecution(row) : null;
  }

  #all(limit: number, of: (row: Row) => boolean): Row[] {
    return [...this.rows.values()].filter(of).slice(0, limit);
  }

  #admission(row: Row): Admission {
    return toAdmission(row, this.facts.limitsOf(row.born.tenantId), this.now);
  }

  #requeue(row: Row, delayMs: number): Admission {
    requeue(row, this.now, delayMs);
    this.#tell("requeued", row.born.executionId, row.attempt);
    return this.#admission(row);
  }

  #end(row: Row, status: Ending["status"], endEventId: string, attempt: number | null): Execution {
    endRow(row, status, endEventId, this.now);
    this.facts.history.tell({
      kind: "ended",
      executionId: row.born.executionId,
      status,
      attempt,
      endEventId,
    });
    return toExecution(row);
  }

  #tell(kind: "inserted" | "claimed" | "requeued", executionId: string, attempt: number): void {
    const row = this.rows.get(executionId);
    const [tenantId, by] = [row?.born.tenantId ?? "", row?.workerId ?? ""];
    this.facts.history.tell({ kind, executionId, attempt, tenantId, by });
  }
}

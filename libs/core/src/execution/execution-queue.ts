import type { AttemptKey } from "./execution.ts";
import type { TenantLimits } from "../limit/limits.ts";
import type { ToolDispatch } from "../tool/tool.ts";

/** A tenant's limits as of a moment (`Tenant.updatedAt`): older limits never overwrite newer ones. */
export interface LimitsAsOf {
  limits: TenantLimits;
  asOf: Date;
}

/** Asks for a part of a tenant's backlog before the rows are committed. */
export interface ReservationRequest {
  tenantId: string;
  executionIds: string[];
  current: LimitsAsOf;
  /** Each call's time from now to its result, without its delay; milliseconds. */
  timeoutMs: number;
  /** The priority that each of them will have. */
  priority: number;
}

/** The answer says how much was reserved. */
export interface Reservation {
  /** So many of the given, from the first on, have a reservation; it lapses unless they are admitted within seconds. */
  accepted: number;
  /** Why the others have none. */
  refusedFor: "backlog" | "deadline" | null;
  /** The least wait of the next one, as far as it is known; milliseconds. */
  waitMs: number;
  /** Executions that the tenant has waiting at present, those with a reservation included. */
  waiting: number;
}

/** An attempt with all that decides when it is its turn. */
export interface Admission extends AttemptKey {
  /** Null stands for the limits last given. */
  current: LimitsAsOf | null;
  /** 0 to 9 within its tenant; 9 goes first. */
  priority: number;
  /** The least delay from now, in milliseconds; 0: at once. */
  delayMs: number;
  /** The tool's own cap and rate; null where it has none. */
  tool: ({ id: string } & ToolDispatch) | null;
}

/** The counts of one dispatcher shard at a moment. */
export interface ShardMeasure {
  shard: number;
  /** Slots of the live workers. */
  slots: number;
  /** Handed out or running. */
  inflight: number;
  /** Handed out and not yet taken by a worker. */
  ready: number;
  /** Waiting in backlogs, throttled and delayed ones not counted. */
  backlog: number;
  /** Ready attempts plus the waiting ones of tenants below their caps: as many could start at once with more workers. */
  startable: number;
  throttledTenants: number;
  delayed: number;
}

/** For how long an attempt kept a slot, in milliseconds; null where nobody knows. See `ExecutionQueue.release`. */
export type UsedMs = number | null | "unless_taken";

/**
 * Decides whose turn it is and hands attempts to workers: fair between tenants by the worker time that they used, within
 * each tenant's cap and rate. It is a hint; the rows decide. Every method rejects with `service.unavailable` when it can't
 * be reached.
 */
export interface ExecutionQueue {
  /** Reserves a part of the tenant's backlog, so that it never grows past its bound, however many ask at once. */
  reserve(wanted: ReservationRequest): Promise<Reservation>;
  /** Hands the attempts out now, or when it is their turn. Harmless when repeated. */
  admit(admissions: Admission[]): Promise<void>;
  /**
   * Drops an attempt that need not run any more and frees its slot. Harmless when repeated. `usedMs` is how long it kept a
   * worker's slot; null if unknown: then the estimate is charged. With `unless_taken` nothing is done if a worker has it,
   * claimed or not: its guest may run, so the worker releases it once that is dead.
   */
  release(attempt: AttemptKey, usedMs: UsedMs): Promise<void>;
  /** Holds a tenant to these limits from the next dispatch on. */
  setLimits(tenantId: string, current: LimitsAsOf): Promise<void>;
  /** Returns those of these queued attempts that no queue holds. */
  missing(attempts: AttemptKey[]): Promise<AttemptKey[]>;
  /** Keeps the slots of running attempts for another lease. */
  renew(attempts: AttemptKey[]): Promise<void>;
  /** Hands out due attempts: after delays that passed, rates that allow more, into free slots. */
  dispatch(): Promise<void>;
  /** Frees slots whose lease ran out; answers how many. */
  reap(): Promise<number>;
  measure(): Promise<ShardMeasure[]>;
}

/** Takes attempts from the queue, at most `concurrency` at once. */
export interface QueueConsumer {
  /** Takes nothing new; resolves when all taken attempts have been handled. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

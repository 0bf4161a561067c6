import type { ExecutionKey } from "../execution/execution.ts";
import type { ErasablePart } from "../execution/retention.ts";

/** A part of an ended execution whose retention is over. */
export interface DueErasure extends ExecutionKey {
  part: ErasablePart;
  /**
   * Another step still needs it: its log is not kept yet, or its callback is not delivered. It is due again after the
   * lease.
   */
  isNeeded: boolean;
}

/** The bounds of one round over the tenants. */
export interface ErasureRound {
  /** Begins behind this tenant; null: with the first. */
  after: string | null;
  /** How many there may be in all, and of one tenant. */
  countMax: number;
  tenantMax: number;
  /** A claim that isn't settled for so long is lost, and the execution is due again. */
  leaseMs: number;
}

/** Erases the data of executions. Data with a retention is due by itself, in the transaction that ends its execution. */
export interface ErasureStore {
  /** Claims due parts, tenant by tenant, as `LogStore.claimDue` does. */
  claimDue(round: ErasureRound): Promise<{ claimed: DueErasure[]; next: string | null }>;
  /** Erases these parts; the executions say which. They are due no more. */
  erase(parts: readonly Omit<DueErasure, "isNeeded">[]): Promise<void>;
  /**
   * Deletes all data of an ended execution except its usage: from then on nobody finds it. Its stream is due to be erased
   * a moment later, in any case. Null if no such execution has ended.
   */
  deleteExecution(key: ExecutionKey): Promise<{ toolId: string | null; toolName: string } | null>;
}

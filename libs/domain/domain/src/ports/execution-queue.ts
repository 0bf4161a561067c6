import type { AttemptKey } from "../execution.ts";

/** Hands out executions to workers, each tenant's at most `maxConcurrentExecutions` at once. A hint, never the truth. */
export interface ExecutionQueue {
  /** Hands the attempt out now, or holds it back until a slot of the tenant is free. Harmless when repeated. A null limit stands for the one last given. */
  admit(attempt: AttemptKey, maxConcurrentExecutions: number | null): Promise<void>;
  /** Forgets an attempt that need not run any more and frees what it held. Harmless when repeated. */
  release(attempt: AttemptKey): Promise<void>;
  /** Of these queued attempts, the ones that neither a backlog nor the ready list holds. */
  missing(attempts: AttemptKey[]): Promise<AttemptKey[]>;
  /** Keeps the slots of running attempts for another lease. */
  renew(attempts: AttemptKey[]): Promise<void>;
  /** Frees slots whose lease ran out and hands out what may follow; answers how many were freed. */
  reap(): Promise<number>;
}

/** Takes attempts from the queue, at most `concurrency` at once. */
export interface QueueConsumer {
  /** Takes nothing new; resolves when what was taken has been handled. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

import type { EffectServer } from "./effect-server.ts";

/** What a fault is played on, whatever it consists of. */
export interface Ground {
  /** Its `url` may be another API's for each call. */
  readonly product: { readonly url: string; readonly adminKey: string };
  readonly effects: EffectServer;
  /** On the server itself, past every proxy. */
  sql(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** Small machines: few slots and sandboxes, which the load fills. */
export const SMALL_PROCESSES = {
  EGRESS_ALLOW: "127.0.0.0/8",
  LOG_LEVEL: "error",
  WORKER_CONCURRENCY: "8",
  SANDBOX_PROCESSES_MAX: "8",
  SHUTDOWN_GRACE_MS: "2000",
};

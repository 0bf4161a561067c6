import type { RunLimits } from "@bulkhead/core";

/** A tool that both contenders run, with limits over the defaults. */
export interface LoadTool {
  name: string;
  code: string;
  /** The schema of its arguments, which are empty; any object when unset. Means nothing to a queue. */
  parameters?: object;
  limits?: Partial<RunLimits>;
}

export interface LoadTenant {
  name: string;
  tools: LoadTool[];
  /** Means nothing to a queue that knows no tenants. */
  limits?: { weight?: number; maxConcurrentExecutions?: number; requestsPerSecond?: number };
}

/** When an execution kept a worker's slot; milliseconds since 1970. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** What the steps of one call took, as its answer tells; milliseconds. Empty where nobody tells. */
export type Timings = Record<string, number>;

/**
 * To run a tool; to follow the events of an execution of it that all followers share; to read the list of executions; to search
 * tools; to export them.
 */
export type FloodRequest = "call" | "follow" | "list" | "search" | "export";

/** Something that runs tenants' tools, each in a sandbox process of that tenant's. */
export interface Contender {
  name: string;
  /** Makes what `call` and `submit` then name. */
  prepare(tenants: LoadTenant[]): Promise<void>;
  /** Runs a tool and resolves with its result there; rejects when that is not a success. */
  call(tenant: string, tool: string): Promise<Timings>;
  /** Sends one of a flood's requests and resolves when it was answered, whatever was. Nothing of the answer is looked at. */
  flood(tenant: string, tool: string, what: FloodRequest): Promise<void>;
  /** Hands in one execution of each named tool; resolves when all are accepted. */
  submit(tenant: string, tools: string[]): Promise<void>;
  /** Of the tenant's executions that have ended. */
  spans(tenant: string): Promise<Span[]>;
  close(): Promise<void>;
}

/** What both contenders get: executions at once, and sandbox processes. */
export const SLOTS = 32;
export const SANDBOX_PROCESSES = 16;

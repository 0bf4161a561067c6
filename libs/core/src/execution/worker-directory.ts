import type { EngineFact } from "./engine.ts";

/** One layer of the sandbox as a worker found it. The name is no closed list here: workers of other versions are listed too. */
interface WorkerLayer {
  layer: string;
  inForce: boolean;
  /** How it is in force, or why it is not; for people. */
  detail: string;
}

/** Sandbox processes of one worker, by what they are doing. */
export interface SandboxProcessCounts {
  starting: number;
  blank: number;
  idle: number;
  running: number;
}

/** A worker's report about itself: facts about the machine and counts, nothing of any tenant. */
export interface WorkerFacts {
  workerId: string;
  host: string;
  pid: number;
  startedAt: Date;
  /** Bulkhead's version. */
  version: string;
  nodeVersion: string;
  v8Version: string;
  isolatedVmVersion: string;
  /** Whether node starts from its own snapshot in sandbox processes. */
  nodeSnapshot: boolean;
  /** Executions that it takes at once, and those that it holds now. */
  slots: number;
  running: number;
  sandboxProcesses: SandboxProcessCounts;
  /** Runs that wait for a sandbox process. */
  sandboxWaiting: number;
  sandboxLayers: readonly WorkerLayer[];
  /** What it has, and what it has not, of what tools may need. */
  engines: readonly EngineFact[];
}

/** The workers that are there now, by their own word. For operators; only what is offered where a worker has it is decided by it. */
export interface WorkerDirectory {
  /**
   * Lists the worker, or renews its facts, for `ttlMs`; after that it vanishes by itself. `full`: the directory holds
   * as many as it may and this one is not among them.
   */
  announce(facts: WorkerFacts, ttlMs: number): Promise<"announced" | "full">;
  /** Takes the worker off the list. Harmless when repeated. */
  withdraw(workerId: string): Promise<void>;
  /** Lists the workers whose lease has not expired, in the order in which they started. */
  list(): Promise<WorkerFacts[]>;
}

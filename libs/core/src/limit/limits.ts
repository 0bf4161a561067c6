/** The limits of one run of a tool. Reaching a limit ends the run with the limit's own outcome code. */
export interface RunLimits {
  /** Processor time of the sandbox process, in milliseconds. */
  cpuMs: number;
  /** Time from the start of the run, in milliseconds. */
  wallMs: number;
  /** V8 heap, in MiB. */
  memoryMib: number;
  /** Requests through the egress broker; each redirect counts. */
  networkRequests: number;
  /** Bytes that all responses together may bring in, decompressed. */
  bytesIn: number;
  /** Bytes that all request bodies together may send out. */
  bytesOut: number;
  /** Bytes of the result as JSON in UTF-8. */
  resultBytes: number;
  /**
   * Bytes of all log lines and emitted values together; later output is cut off with one warning line; a single oversized
   * piece is left out by name.
   */
  logBytes: number;
  /** Calls of other tools, built-in ones included. */
  nestedCalls: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const RUN_LIMITS_DEFAULT: Readonly<RunLimits> = {
  cpuMs: 5_000,
  wallMs: 30_000,
  memoryMib: 50,
  networkRequests: 10,
  bytesIn: 8 * MIB,
  bytesOut: 2 * MIB,
  resultBytes: MIB,
  logBytes: 256 * KIB,
  nestedCalls: 10,
};

/** The limits of one run of a tool's `approvalCode`, which does nothing but look at the arguments. */
export const APPROVAL_CODE_LIMITS: Readonly<RunLimits> = {
  cpuMs: 250,
  wallMs: 2_000,
  memoryMib: 32,
  networkRequests: 0,
  bytesIn: 0,
  bytesOut: 0,
  resultBytes: 64,
  logBytes: 16 * KIB,
  nestedCalls: 0,
};

/** isolated-vm refuses a heap under 8 MiB; everything else starts where it still does something. */
export const RUN_LIMITS_MIN: Readonly<RunLimits> = {
  cpuMs: 10,
  wallMs: 10,
  memoryMib: 8,
  networkRequests: 0,
  bytesIn: 0,
  bytesOut: 0,
  resultBytes: 64,
  logBytes: 0,
  nestedCalls: 0,
};

/** The platform's ceilings. */
export const RUN_LIMITS_MAX: Readonly<RunLimits> = {
  cpuMs: 60_000,
  wallMs: 300_000,
  memoryMib: 256,
  networkRequests: 100,
  bytesIn: 16 * MIB,
  bytesOut: 8 * MIB,
  resultBytes: 4 * MIB,
  logBytes: MIB,
  nestedCalls: 100,
};

/**
 * The limits of one tenant. The limits of a run are ceilings here: a run of the tenant's gets no more, whatever its tool
 * says.
 */
export interface TenantLimits extends RunLimits {
  /** Executions that hold a slot (handed out or running) at one time. */
  maxConcurrentExecutions: number;
  /** Executions that may start in a second, in the long run; further ones wait. */
  executionsPerSecond: number;
  /** Executions that may start at once after a pause. */
  executionBurst: number;
  /** Executions that may wait beyond those that may run; more is refused. */
  maxQueuedExecutions: number;
  /** Requests to the API in a second; more is refused. */
  requestsPerSecond: number;
  /** Calls of tools in a minute for each session key of a call's context; 0: any number. */
  sessionCallsPerMinute: number;
  /** The tenant's share of the workers' time, against the other tenants' weights. */
  weight: number;
  /** Files of all its workspaces. */
  maxFiles: number;
  /** Bytes of one file. */
  maxFileBytes: number;
  /** Bytes of all files together, without their former versions. */
  maxAllFileBytes: number;
  /** Collections of custom data, of all agents and users together. */
  maxCollections: number;
  maxDocuments: number;
  /** Bytes of one document, as JSON. */
  maxDocumentBytes: number;
  maxAllDocumentBytes: number;
  /** Messages by channels in 24 hours, one for each recipient, in the long run; as many at once after a pause. */
  messagesPerDay: number;
  /** Paired devices. */
  maxDevices: number;
}

export const TENANT_LIMITS_DEFAULT: Readonly<TenantLimits> = {
  ...RUN_LIMITS_MAX,
  maxConcurrentExecutions: 20,
  executionsPerSecond: 100,
  executionBurst: 200,
  maxQueuedExecutions: 10_000,
  requestsPerSecond: 200,
  sessionCallsPerMinute: 0,
  weight: 1,
  maxFiles: 10_000,
  maxFileBytes: 10 * MIB,
  maxAllFileBytes: 1024 * MIB,
  maxCollections: 1_000,
  maxDocuments: 100_000,
  maxDocumentBytes: 64 * KIB,
  maxAllDocumentBytes: 256 * MIB,
  messagesPerDay: 1_000,
  maxDevices: 100,
};
export const TENANT_LIMITS_MIN: Readonly<TenantLimits> = {
  ...RUN_LIMITS_MIN,
  maxConcurrentExecutions: 1,
  executionsPerSecond: 1,
  executionBurst: 1,
  maxQueuedExecutions: 0,
  requestsPerSecond: 1,
  sessionCallsPerMinute: 0,
  weight: 1,
  maxFiles: 0,
  maxFileBytes: 0,
  maxAllFileBytes: 0,
  maxCollections: 0,
  maxDocuments: 0,
  maxDocumentBytes: 0,
  maxAllDocumentBytes: 0,
  messagesPerDay: 0,
  maxDevices: 0,
};
export const TENANT_LIMITS_MAX: Readonly<TenantLimits> = {
  ...RUN_LIMITS_MAX,
  maxConcurrentExecutions: 10_000,
  executionsPerSecond: 100_000,
  executionBurst: 1_000_000,
  maxQueuedExecutions: 10_000_000,
  requestsPerSecond: 100_000,
  sessionCallsPerMinute: 1_000_000,
  weight: 1_000,
  maxFiles: 100_000,
  maxFileBytes: 32 * MIB,
  maxAllFileBytes: 1024 * 1024 * MIB,
  maxCollections: 100_000,
  maxDocuments: 10_000_000,
  // What a tool's own code can send in one question.
  maxDocumentBytes: 128 * KIB,
  maxAllDocumentBytes: 64 * 1024 * MIB,
  messagesPerDay: 1_000_000,
  maxDevices: 10_000,
};

/** A tool's limits with the ceilings of its tenant. */
export function withinCeilings(limits: RunLimits, ceilings: RunLimits): RunLimits {
  const names = Object.keys(RUN_LIMITS_MAX) as (keyof RunLimits)[];
  const lower = names.filter((name) => ceilings[name] < limits[name]);
  return lower.length === 0
    ? limits
    : { ...limits, ...Object.fromEntries(lower.map((name) => [name, ceilings[name]])) };
}

/** Order within a tenant: 9 goes first. The scale and its middle are those of JMS. */
export const PRIORITY_MAX = 9;
export const PRIORITY_DEFAULT = 4;

/** How long an execution may be put off at its submission; milliseconds. */
export const EXECUTION_DELAY_MS_MAX = 7 * 24 * 3_600_000;

/** Executions in one batch. */
export const BATCH_SIZE_MAX = 1_000;

/** For how long an Idempotency-Key stands for its execution; hours. */
export const IDEMPOTENCY_HOURS = 24;

/** How often an execution whose worker is lost is tried, at most; then it ends as `lost`. */
export const EXECUTION_ATTEMPTS_MAX = 10;

/** How deep tools may call tools: the first is at depth 1. */
export const CALL_DEPTH_MAX = 5;
/** Calls of tools that one queued execution may lead to, over all depths together. */
export const CALL_TREE_MAX = 1_000;

/** A version that killed its sandbox process so often, each time alone in a fresh one, is disabled. */
export const QUARANTINE_CONVICTIONS_MAX = 3;

/** The time from acceptance to the result, waiting included; milliseconds. The least that a call has which says none. */
export const EXECUTION_TIMEOUT_MS_DEFAULT = 60_000;
export const EXECUTION_TIMEOUT_MS_MAX = 3_600_000;

/** The time of a call that says none: as long as its tool may run, so that nothing that it made is lost, within its tenant's ceiling. */
export const timeoutFor = (
  { wallMs }: Pick<RunLimits, "wallMs">,
  ceilings: Pick<RunLimits, "wallMs">,
): number => Math.max(EXECUTION_TIMEOUT_MS_DEFAULT, Math.min(wallMs, ceilings.wallMs));

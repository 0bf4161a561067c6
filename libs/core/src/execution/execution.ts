import type { CallContext } from "./call-context.ts";
import type { ExecutionError } from "./outcome.ts";
import type { ExecutionApproval } from "../approval/approval.ts";
import type { RetryPolicy, ToolDispatch } from "../tool/tool.ts";
import type { RecordedAnswers } from "../tool/recorded-answers.ts";
import type { RunnableTool } from "../tool/tool-definition.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { JsonText } from "../json/json-text.ts";
import type { ErasablePart, Retention } from "./retention.ts";

export const EXECUTION_STATUSES = [
  "awaiting_approval",
  "queued",
  "running",
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "denied",
  "lost",
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** Every move that an execution may make; the query refuses all others. */
export const NEXT = {
  awaiting_approval: ["queued", "denied", "cancelled"],
  // Its deadline passed or its tool was disabled before it ran.
  queued: ["running", "timed_out", "failed", "cancelled", "lost"],
  // Back to queued: its worker stopped or died before the tool asked for an effect.
  // Or to a person, whom its tool's own code has asked before anything else of it ran.
  running: ["succeeded", "failed", "timed_out", "cancelled", "lost", "queued", "awaiting_approval"],
  succeeded: [],
  failed: [],
  timed_out: [],
  cancelled: [],
  denied: [],
  lost: [],
} as const satisfies Record<ExecutionStatus, readonly ExecutionStatus[]>;

export type TerminalStatus = {
  [S in ExecutionStatus]: (typeof NEXT)[S] extends readonly [] ? S : never;
}[ExecutionStatus];

export const TERMINAL_STATUSES = EXECUTION_STATUSES.filter(
  (status): status is TerminalStatus => NEXT[status].length === 0,
);

export const isTerminal = (status: ExecutionStatus): status is TerminalStatus => NEXT[status].length === 0;

/** The statuses from which `to` can be reached: the `WHERE` of a compare-and-set. */
export const statusesBefore = (to: ExecutionStatus): ExecutionStatus[] =>
  EXECUTION_STATUSES.filter((from) => (NEXT[from] as readonly ExecutionStatus[]).includes(to));

export interface Usage {
  cpuMs: number;
  wallMs: number;
  memoryPeakMib: number;
  networkRequests: number;
  /** Bytes of response bodies, decompressed, and of request bodies; unset if no request was sent. */
  bytesIn?: number;
  bytesOut?: number;
  /** What was asked of capabilities, such as reads and writes of files; unset if nothing was. */
  capabilityCalls?: number;
}

/** The time that each step of a call took, in order; milliseconds. */
export type Timings = Record<string, number>;

/**
 * The layer that ended a run, from the inside out: the tool or its runtime, V8 (heap or timeout), the sandbox process's
 * own meter, the worker with SIGKILL, or the operating system.
 */
export const ENDING_LAYERS = ["guest", "isolate", "process", "worker", "system"] as const;
export type EndingLayer = (typeof ENDING_LAYERS)[number];

/** How an execution ended. */
export interface Ending {
  status: TerminalStatus;
  result: Json | JsonText;
  error: ExecutionError | null;
  usage: Usage;
  timings: Timings;
  /** Null where nothing of it ran. */
  endedBy: EndingLayer | null;
}

/** Names one execution; the tenant is part of every look-up. */
export interface ExecutionKey {
  tenantId: string;
  executionId: string;
}

/** Names one try of one execution. The number is the fencing token too: only the holder of the latest may write. */
export interface AttemptKey extends ExecutionKey {
  attempt: number;
}

/** `<execution id>-<attempt>`: a member of the queue's sets and BullMQ's job id, so that adding twice is harmless. */
export const attemptName = ({ executionId, attempt }: Omit<AttemptKey, "tenantId">): string =>
  `${executionId}-${attempt}`;

/**
 * An execution was made by a request for one call or for many, a schedule, a model's client by MCP, a script of a meta-tool,
 * another execution's tool, a repeat of an ended one's call, or a try of a tool that is not stored.
 */
export const EXECUTION_SOURCES = [
  "rest",
  "batch",
  "schedule",
  "mcp",
  "meta_tool",
  "tool",
  "replay",
  "dry_run",
] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** Characters of the name that a caller's program gives itself. */
export const CLIENT_CHARS_MAX = 64;

/** A tool that exists only for one dry run (`POST …/custom-tools/test`). */
export interface InlineTool extends RunnableTool {
  /**
   * A dry run shows what the tool does: its effects are put down, none happens, and its declared services are stand-ins
   * without values. An effect is answered by what was recorded for it, or refused.
   */
  rehearsal?: { services: string[]; recorded?: RecordedAnswers };
}

export interface NewExecution extends ExecutionKey {
  /** Null for a tool that is not stored (a dry run, a script, a built-in tool); `inlineTool` holds it instead. */
  toolId: string | null;
  toolName: string;
  toolVersion: number;
  inlineTool: InlineTool | null;
  arguments: JsonObject;
  context: CallContext;
  source: ExecutionSource;
  /** The name that the caller's program gave itself; null: none. */
  client: string | null;
  /** The id of the API key that made the call. */
  requestedBy: string;
  /** The access token of that key by which it was made; unset: none. */
  accessTokenId?: string;
  /** Whether that key is an agent's: then no tool that a person must confirm may be called on its behalf. */
  byAgent: boolean;
  createdAt: Date;
  deadlineAt: Date;
  idempotent: boolean;
  traceId: string;
  /** The trace context of its attempts and callbacks, as W3C Trace Context writes it; null: nobody records it. */
  traceparent: string | null;
  /** 0 to 9 within its tenant; 9 goes first. */
  priority: number;
  /** The least delay after its acceptance, in milliseconds; 0: at once. */
  delayMs: number;
  retry: RetryPolicy | null;
  dispatch: ToolDispatch | null;
  callback: Callback | null;
  /** The ended execution whose call this repeats. */
  replayOf: string | null;
  scheduleId: string | null;
  /** For how long its data are kept; null: as the platform says. */
  retention: Retention | null;
  /** Set if a person has to allow the call first: then it waits, and `deadlineAt` is when that expires. */
  approval: Omit<ExecutionApproval, "answer"> | null;
  /** Whether its tool's `approvalCode` says, once it has its turn, if a person has to allow it. */
  toolDecides?: boolean;
}

/** The URL that an execution's end is sent to. */
export interface Callback {
  /** `https:`, or `http:` where the deployment's egress rules allow it. */
  url: string;
  /** The caller's own signing secret, sealed; null: the tenant's signs. */
  sealedSecret: string | null;
}

/** The first 24 hours of a key under which a call is accepted once; `bodyHash` tells a repeat from another call. */
export interface IdempotencyKey {
  key: string;
  bodyHash: string;
  /** The key of the request that the call is a part of, with the same `bodyHash`: taken with the first part, so that it stands for the others, too. */
  partOf?: string;
}

/** A try that is over while its execution was not; the last one is the execution's own record. */
export interface PastAttempt {
  attempt: number;
  /**
   * How it ended: `failed` (to be tried again), `handed_back` by a worker that stopped, `lost` with its worker or its sandbox
   * process, `asked` a person and ran nothing else.
   */
  outcome: "failed" | "handed_back" | "lost" | "asked";
  error: ExecutionError | null;
  usage: Usage;
  endedBy: EndingLayer | null;
  workerId: string | null;
  startedAt: Date | null;
  finishedAt: Date;
}

/** An execution that another one's tool asks for. It runs at once, where its caller runs, and is never queued. */
export interface NestedExecution extends ExecutionKey {
  /** The attempt of the caller that asks; a caller that no longer holds it can't begin anything. */
  parent: AttemptKey;
  /** The depth of the call, counted from 1 at the first tool. */
  depth: number;
  toolId: string;
  toolName: string;
  toolVersion: number;
  argumentsJson: string;
  context: CallContext;
  createdAt: Date;
  deadlineAt: Date;
  idempotent: boolean;
  /** As in `NewExecution`. */
  retention: Retention | null;
}

/** An execution without its payloads. */
export type ExecutionFacts = Omit<Execution, "arguments" | "result">;

/** An execution as lists have it. The arguments as they were before a person changed them are a payload too. */
export interface ExecutionSummary extends ExecutionFacts {
  /** Of the JSON text, in UTF-8. */
  argumentsBytes: number;
  /** As above; an execution without a result has the text `null`. */
  resultBytes: number;
}

export interface Execution extends ExecutionKey {
  toolId: string | null;
  toolName: string;
  toolVersion: number;
  status: ExecutionStatus;
  context: CallContext;
  arguments: JsonObject;
  result: Json | JsonText;
  error: ExecutionError | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  deadlineAt: Date;
  /** The number of tries so far, and the fencing token of the latest. */
  attempt: number;
  usage: Usage;
  timings: Timings;
  traceId: string;
  source: ExecutionSource;
  /** As in `NewExecution`; of a nested execution its caller's key. */
  requestedBy: string;
  /** As in `NewExecution`. */
  accessTokenId?: string;
  /** As in `NewExecution`. */
  client: string | null;
  priority: number;
  /** The earliest start; null: at once. */
  notBefore: Date | null;
  /** The execution whose tool asked for this one. */
  parentId: string | null;
  /** The ended execution whose call this repeats. */
  replayOf: string | null;
  scheduleId: string | null;
  /** Null where no person had to allow it. */
  approval: ExecutionApproval | null;
  /** Null while it goes on, and where it was ended from outside. */
  endedBy: EndingLayer | null;
  /** The id of the terminal event, once there is one. */
  endEventId: string | null;
  /** The parts that have been erased. */
  erased: readonly ErasablePart[];
}

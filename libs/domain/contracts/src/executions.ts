import {
  ENDING_LAYERS,
  EXECUTION_STATUSES,
  EXECUTION_TIMEOUT_MS_DEFAULT,
  EXECUTION_TIMEOUT_MS_MAX,
  OUTCOME_CODES,
} from "@bulkhead/domain";
import { z } from "zod";
import { anyObject, pageLimit, text, timestamp } from "./fields.ts";

const contextField = text(256).optional();

export const CallContext = z.strictObject({
  callId: contextField,
  conversationId: contextField,
  userId: contextField,
  sessionKey: contextField,
  channel: contextField,
  chatId: contextField,
  peerKind: contextField,
  agentId: contextField,
});

export const ExecuteTool = z.strictObject({
  arguments: anyObject.default({}),
  mode: z.enum(["sync", "async", "stream"]).default("sync"),
  timeoutMs: z
    .int()
    .min(1)
    .max(EXECUTION_TIMEOUT_MS_MAX)
    .default(EXECUTION_TIMEOUT_MS_DEFAULT)
    .describe("From acceptance to the result, waiting included."),
  context: CallContext.default({}),
});

const ExecutionError = z.object({ code: z.enum(OUTCOME_CODES), message: z.string() });

const Usage = z.object({
  cpuMs: z.number(),
  wallMs: z.number(),
  memoryPeakMib: z.number(),
  networkRequests: z.int(),
});

export const Execution = z
  .object({
    id: z.string(),
    toolId: z.string().nullable().describe("Null for a dry run."),
    toolName: z.string(),
    toolVersion: z.int(),
    parentId: z.string().optional().describe("The execution whose tool called this one's."),
    status: z.enum(EXECUTION_STATUSES),
    context: CallContext,
    arguments: anyObject,
    result: z.unknown(),
    isError: z.boolean(),
    error: ExecutionError.optional(),
    createdAt: timestamp,
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
    durationMs: z.number().optional().describe("From acceptance to the end."),
    attempts: z.int(),
    usage: Usage,
    endedBy: z
      .enum(ENDING_LAYERS)
      .optional()
      .describe(
        "The layer that ended the run: the tool or its runtime, V8, the sandbox process, the worker, the system.",
      ),
    traceId: z.string(),
  })
  .meta({ id: "Execution" });

const Links = z.object({ self: z.string(), events: z.string(), cancel: z.string() });

export const AcceptedExecution = z
  .object({ executionId: z.string(), status: z.enum(EXECUTION_STATUSES), links: Links })
  .meta({ id: "AcceptedExecution" });

export const ToolResult = z
  .object({
    executionId: z.string(),
    status: z.enum(EXECUTION_STATUSES),
    tool: z.string(),
    result: z.unknown(),
    isError: z.boolean(),
    error: ExecutionError.optional(),
    duration: z.number().describe("Milliseconds from acceptance to the end."),
    metadata: z.object({
      executionTime: z.number().describe("Milliseconds of the run alone."),
      dynamicTool: z.string(),
      attempts: z.int(),
      usage: Usage,
      timings: z
        .record(z.string(), z.number())
        .describe("Where the time went: milliseconds by step, in order."),
    }),
    testMode: z.literal(true).optional(),
  })
  .meta({ id: "ToolResult" });

export const ExecutionQuery = z.strictObject({
  status: z.enum(EXECUTION_STATUSES).optional(),
  tool: z.string().max(64).optional().describe("An id or a name."),
  limit: pageLimit,
  cursor: z
    .string()
    .regex(/^exe_[0-9a-f]{32}$/, "must be the nextCursor of the page before")
    .optional(),
});

export const ExecutionPage = z.object({ executions: z.array(Execution), nextCursor: z.string().nullable() });

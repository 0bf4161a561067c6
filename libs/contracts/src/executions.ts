import {
  APPROVAL_ANSWERS,
  ENDING_LAYERS,
  EXECUTION_SOURCES,
  EXECUTION_STATUSES,
  EFFECT_REFUSALS,
  OUTCOME_CODES,
  TERMINAL_STATUSES,
} from "@bulkhead/core";
import { z } from "zod";
import { Asking } from "./approval-calls.ts";
import { CallContext } from "./call-context.ts";
import { anyObject, timestamp } from "./fields.ts";
import { Erased } from "./retention.ts";

const Result = z
  .unknown()
  .describe(
    'Any JSON. Of `utils.content` it is `{"$bulkhead": "content", content, structuredContent?}` with the parts of the result, bytes in base64; of `utils.output` it is `{"$bulkhead": "output", forLLM, forUser}`.',
  );

const ExecutionError = z.object({
  code: z.enum(OUTCOME_CODES),
  message: z.string(),
  retryAfterMs: z.int().optional().describe("The pause that the tool's error asked for by its `retryAfter`."),
  refusal: z
    .enum(EFFECT_REFUSALS)
    .optional()
    .describe(
      "Of a call of a built-in tool: why it was refused, in the code that a tool which calls it is given; `message` has its words.",
    ),
});

const Usage = z.object({
  cpuMs: z.number(),
  wallMs: z.number(),
  memoryPeakMib: z.number(),
  networkRequests: z.int(),
  capabilityCalls: z
    .int()
    .optional()
    .describe("What was asked of capabilities, such as reads and writes of files. Absent where nothing was."),
});

export const Execution = z
  .object({
    id: z.string(),
    toolId: z.string().nullable().describe("Null for a dry run, a script of `run_code` and a built-in tool."),
    toolName: z.string(),
    toolVersion: z.int(),
    parentId: z.string().optional().describe("The execution whose tool called this one's."),
    replayOf: z.string().optional().describe("The ended execution whose call this repeats."),
    scheduleId: z.string().optional(),
    source: z
      .enum(EXECUTION_SOURCES)
      .describe(
        "What made it: a request for one call (`rest`) or for many (`batch`), a schedule, MCP, `call_tool` or a script of `run_code` (`meta_tool`), another execution's tool, a replay, or a try of a tool that is not stored (`dry_run`).",
      ),
    keyId: z
      .string()
      .describe(
        "The id of the key that made the call; of a schedule's run, of the one that made the schedule.",
      ),
    client: z
      .string()
      .optional()
      .describe("What the caller's program calls itself: the beginning of its `User-Agent`."),
    priority: z.int(),
    notBefore: timestamp.optional().describe("It waits until then."),
    status: z.enum(EXECUTION_STATUSES),
    context: CallContext,
    arguments: anyObject,
    result: Result,
    isError: z.boolean(),
    error: ExecutionError.optional(),
    createdAt: timestamp,
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
    durationMs: z.number().optional().describe("The time from acceptance to the end."),
    attempts: z.int(),
    usage: Usage,
    timings: z
      .record(z.string(), z.number())
      .optional()
      .describe(
        "The time of each step of its latest run that has ended, in order; milliseconds: `dwell` from the moment it might begin to a worker's hand, then `claim`, `bind` and `run`. Absent before, and where nothing ran.",
      ),
    endedBy: z
      .enum(ENDING_LAYERS)
      .optional()
      .describe(
        "The layer that ended the run: the tool or its runtime, V8, the sandbox process, the worker, the system.",
      ),
    approval: z
      .object({
        approvalId: z.string(),
        expiresAt: timestamp,
        asking: Asking.optional(),
        answer: z.enum(APPROVAL_ANSWERS).optional().describe("Absent while it waits."),
        answeredBy: z.string().optional().describe("The id of the key that answered."),
        answeredAt: timestamp.optional(),
        reason: z.string().optional().describe("Why it was denied, in the person's words."),
        askedArguments: z
          .record(z.string(), z.any())
          .optional()
          .describe(
            "The original arguments, if the person changed them: `arguments` holds the person's, which run.",
          ),
      })
      .optional()
      .describe("Present if a person had to allow it."),
    erased: Erased,
    traceId: z.string(),
  })
  .meta({ id: "Execution" });

/** One try of an execution. */
const Attempt = z.object({
  attempt: z.int(),
  outcome: z
    .enum(["failed", "handed_back", "lost", "asked", "running", ...TERMINAL_STATUSES])
    .describe(
      "The last one's is the execution's status; the ones before failed, were handed back, or lost, or the tool's own code had a person asked.",
    ),
  error: ExecutionError.optional(),
  usage: Usage,
  endedBy: z.enum(ENDING_LAYERS).optional(),
  startedAt: timestamp.optional(),
  finishedAt: timestamp.optional(),
});

export const AttemptList = z.object({ attempts: z.array(Attempt), nextCursor: z.null() });

const Links = z.object({
  self: z.string(),
  events: z.string(),
  cancel: z.string(),
  approval: z.string().optional().describe("The path where a person answers, while it waits for one."),
});

export const AcceptedExecution = z
  .object({ executionId: z.string(), status: z.enum(EXECUTION_STATUSES), links: Links })
  .meta({ id: "AcceptedExecution", description: "The execution is accepted; where to look for it." });

export const ToolResult = z
  .object({
    executionId: z.string(),
    status: z.enum(EXECUTION_STATUSES),
    tool: z.string(),
    result: Result,
    isError: z.boolean(),
    error: ExecutionError.optional(),
    erased: Erased,
    duration: z.number().describe("Milliseconds from acceptance to the end."),
    metadata: z.object({
      executionTime: z.number().describe("Milliseconds of the run alone."),
      dynamicTool: z.string(),
      attempts: z.int(),
      usage: Usage,
      timings: z.record(z.string(), z.number()).describe("The time of each step, in order; milliseconds."),
    }),
    testMode: z.literal(true).optional(),
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        "Only for a dry run: what the tool's maker should know, such as names, permissions and services that its code needs and lacks.",
      ),
  })
  .meta({ id: "ToolResult", description: "The execution ended; its result." });

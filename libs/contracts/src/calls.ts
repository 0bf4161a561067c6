import {
  BATCH_SIZE_MAX,
  EXECUTION_DELAY_MS_MAX,
  EXECUTION_STATUSES,
  EXECUTION_TIMEOUT_MS_DEFAULT,
  EXECUTION_TIMEOUT_MS_MAX,
  OUTCOME_CODES,
  PRIORITY_DEFAULT,
  PRIORITY_MAX,
} from "@bulkhead/core";
import { z } from "zod";
import { CallContext } from "./call-context.ts";
import { Callback } from "./deliveries.ts";
import { BATCH_EXAMPLE, EXECUTE_TOOL_EXAMPLE } from "./examples.ts";
import { anyObject, idOrName, moment } from "./fields.ts";
import { store } from "./retention.ts";
import { PinnedVersion } from "./versions.ts";

const call = {
  arguments: anyObject
    .default({})
    .describe(
      "Checked against the tool's `parameters`. A missing property gets its `default` if the tool or its tenant sets `applyDefaults`; from an agent's key, null for an optional property that does not accept null counts as missing. A number that JavaScript would round (an integer beyond 2^53 - 1, or a fraction that a double does not keep to 17 digits) is refused with `execution.arguments_inexact`: send it as a string.",
    ),
  version: PinnedVersion,
  timeoutMs: z
    .int()
    .min(1)
    .max(EXECUTION_DELAY_MS_MAX + EXECUTION_TIMEOUT_MS_MAX)
    .optional()
    .describe(
      `Milliseconds from acceptance to the result, waiting and \`delayMs\` included (if a person has to allow it, the time beyond \`delayMs\` counts from the answer). Unless set it is, beyond \`delayMs\`, what the tool's \`limits.wallMs\` lets it run, ${EXECUTION_TIMEOUT_MS_DEFAULT} at least; ${EXECUTION_TIMEOUT_MS_MAX} at most.`,
    ),
  priority: z
    .int()
    .min(0)
    .max(PRIORITY_MAX)
    .default(PRIORITY_DEFAULT)
    .describe("Order among the tenant's own executions: 9 goes first."),
  delayMs: z
    .int()
    .min(0)
    .max(EXECUTION_DELAY_MS_MAX)
    .default(0)
    .describe("The earliest start, in milliseconds from now."),
  callback: Callback.optional(),
  store,
  context: CallContext.default({}),
};

/** The time beyond a call's delay, from the start of its waiting for a worker to the result, in milliseconds; null: not set. */
export const timeBeyondDelay = ({ timeoutMs, delayMs }: z.infer<typeof CallTimes>): number | null =>
  timeoutMs === undefined ? null : timeoutMs - delayMs;

const CallTimes = z.object({ timeoutMs: call.timeoutMs, delayMs: call.delayMs });

/** Names `timeoutMs` where it leaves no time beyond the delay, or too much. */
function checkTimes(times: z.infer<typeof CallTimes>, issues: z.RefinementCtx): void {
  const left = timeBeyondDelay(times) ?? EXECUTION_TIMEOUT_MS_DEFAULT;
  const fault = (message: string): void => issues.addIssue({ code: "custom", path: ["timeoutMs"], message });
  if (left < 1) fault("must be more than delayMs: it counts from acceptance");
  if (left > EXECUTION_TIMEOUT_MS_MAX) fault(`must be at most ${EXECUTION_TIMEOUT_MS_MAX} beyond delayMs`);
}

export const ExecuteTool = z
  .strictObject({
    ...call,
    mode: z
      .enum(["sync", "async", "stream"])
      .default("sync")
      .describe(
        "`sync`: the answer is the result (202 where a person has to allow the call first); `async`: 202 at once; `stream`: the events as they come.",
      ),
  })
  .superRefine(checkTimes)
  .meta({ examples: [EXECUTE_TOOL_EXAMPLE] });

/** One call of a batch. */
export const BatchCall = z
  .strictObject({
    tool: idOrName.describe("An id, a name or an alias."),
    ...call,
  })
  .superRefine(checkTimes);

export const ExecuteBatch = z
  .strictObject({
    executions: z
      .array(BatchCall)
      .min(1)
      .max(BATCH_SIZE_MAX)
      .describe("Each is accepted or refused by itself."),
  })
  .meta({ examples: [BATCH_EXAMPLE] });

const BatchFault = z.object({
  code: z.string(),
  title: z.string(),
  detail: z.string(),
  retryable: z.boolean(),
  retryAfterSeconds: z.int().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** One answer for each call, in order. */
export const AcceptedBatch = z.object({
  executions: z.array(
    z.union([
      z.object({ executionId: z.string(), status: z.enum(EXECUTION_STATUSES) }),
      z.object({ error: BatchFault }),
    ]),
  ),
});

/** Selects the ended executions that are replayed. */
export const ReplayFilter = z.strictObject({
  status: z
    .enum(["failed", "timed_out", "cancelled", "lost", "denied", "succeeded"])
    .default("failed")
    .describe("How they ended."),
  tool: idOrName.optional().describe("An id, a name or an alias."),
  code: z.enum(OUTCOME_CODES).optional().describe("Only those that ended with this error code."),
  createdAfter: moment.optional().describe("Only those accepted later than this."),
  createdBefore: moment.optional().describe("Only those accepted earlier than this."),
  limit: z.int().min(1).max(BATCH_SIZE_MAX).default(100).describe("The newest so many."),
});

export const ReplayCount = z.object({
  count: z.int().describe("How many calls the same body would make again now, of `limit` at most."),
});

export const ReplayedBatch = z.object({
  executions: z.array(
    z.union([
      z.object({ replayOf: z.string(), executionId: z.string(), status: z.enum(EXECUTION_STATUSES) }),
      z.object({ replayOf: z.string(), error: BatchFault }),
    ]),
  ),
});

/** The value of the header `Idempotency-Key`. */
export const IdempotencyKeyHeader = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 visible ASCII characters")
  .optional()
  .describe("The call is accepted once in 24 hours; a repeat gets the first answer.");

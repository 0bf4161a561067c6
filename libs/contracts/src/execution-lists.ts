import {
  EXECUTION_SOURCES,
  EXECUTION_STATUSES,
  OUTCOME_CODES,
  SEARCH_WORDS_MAX,
  wordsOf,
} from "@bulkhead/core";
import { z } from "zod";
import { Execution } from "./executions.ts";
import { agentId, idOrName, moment, pageCursor, pageLimit, severalOf, text, wholeNumber } from "./fields.ts";

const LOG_SEARCH_CHARS_MAX = 200;
const CURSOR = /^exe_[0-9a-f]{32}$/;

/** An execution as lists have it. */
const ExecutionSummary = Execution.omit({ arguments: true, result: true, timings: true })
  .extend({
    argumentsBytes: z.int().describe("The bytes of the arguments' JSON text; `GET …/arguments` has it."),
    resultBytes: z.int().describe("The bytes of the result's JSON text, which is `null` without a result."),
  })
  .meta({ id: "ExecutionSummary" });

/** Bounds no duration that there is: beyond three years. */
const DURATION_MS_MAX = 100_000_000_000;
const duration = wholeNumber(0, DURATION_MS_MAX).optional();

/** What lists and statistics are narrowed by. */
export const executionFilters = {
  status: severalOf(EXECUTION_STATUSES).describe(
    "Only those with this status, or with one of these: `status=failed,lost`, or the field several times.",
  ),
  tool: idOrName.optional().describe("Only those of this tool, by its id or name."),
  toolVersion: wholeNumber(0, 2 ** 31 - 1)
    .optional()
    .describe("Only those of this version of their tool."),
  agentId: agentId.optional().describe("Only those made for this agent, with the calls that they made."),
  keyId: text(64, 1).optional().describe("Only those that this API key asked for."),
  source: z.enum(EXECUTION_SOURCES).optional().describe("Only those that were made so."),
  code: z.enum(OUTCOME_CODES).optional().describe("Only those that ended with this error code."),
  conversationId: text(256, 1).optional().describe("Only those with this `context.conversationId`."),
  parentId: text(64, 1).optional().describe("Only those that this execution's tool called."),
  scheduleId: text(64, 1)
    .optional()
    .describe("Only those that this schedule made, by its plan or run out of turn."),
  from: moment.optional().describe("Only those accepted at this moment or later."),
  to: moment.optional().describe("Only those accepted before this moment."),
  minMs: duration.describe("Only ended ones whose `durationMs` is so much or more."),
  maxMs: duration.describe("Only ended ones whose `durationMs` is so much or less."),
};

const ExecutionFilters = z.object(executionFilters);
export type ExecutionFilters = z.output<typeof ExecutionFilters>;

interface Ranges {
  from?: string | undefined;
  to?: string | undefined;
  minMs?: number | undefined;
  maxMs?: number | undefined;
}

/** Names the end of a range that comes before its beginning. */
export function checkRanges({ from, to, minMs, maxMs }: Ranges, issues: z.RefinementCtx): void {
  const fault = (path: string, message: string): void =>
    issues.addIssue({ code: "custom", path: [path], message });
  if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from))
    fault("to", "must not be before from");
  if (minMs !== undefined && maxMs !== undefined && maxMs < minMs)
    fault("maxMs", "must not be less than minMs");
}

export const ExecutionQuery = z
  .strictObject({
    ...executionFilters,
    logs: text(LOG_SEARCH_CHARS_MAX, 1)
      .refine((said) => wordsOf(said).length > 0, "must have a letter or a digit")
      .refine(
        (said) => wordsOf(said).length <= SEARCH_WORDS_MAX,
        `must have ${SEARCH_WORDS_MAX} words at most`,
      )
      .optional()
      .describe(
        "Only ended ones whose kept log lines and emitted values (not their results and errors) have all these words, anywhere and in any order. A word is letters and digits, whatever its case and the accents of its Latin and Greek letters, up to blanks and signs, and counts as it stands (no endings are taken off, no words left out); the last one may be the beginning of a longer one, and in writing without blanks it may be any part. A log is found from a few seconds after its end on, by its last 5,000 different words, for as long as it is kept.",
      ),
    limit: pageLimit,
    cursor: pageCursor(CURSOR),
  })
  .superRefine(checkRanges);

export const ExecutionPage = z.object({
  executions: z.array(ExecutionSummary),
  nextCursor: z.string().nullable(),
  scanned: z
    .int()
    .optional()
    .describe(
      "Present where the page ends because it has looked at so many executions, and not because it is full: it may be empty, and `nextCursor` goes on behind them.",
    ),
});

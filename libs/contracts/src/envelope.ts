import { z } from "zod";

const Meta = z.object({
  requestId: z.string(),
  traceId: z.string().describe("The caller's trace if it sent a `traceparent`, else a new one."),
  timestamp: z.iso.datetime(),
});

/** The shape of every successful answer. */
export const success = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true), data, meta: Meta });

const ProblemDetail = z.object({
  path: z.string().describe("Dotted, from the body's root."),
  message: z.string(),
  line: z.int().min(1).optional().describe("The line in the text at `path`, from 1; with `column`."),
  column: z.int().min(1).optional(),
  rule: z
    .string()
    .optional()
    .describe(
      "For code: `syntax`, `uncalled` (nothing of it would run), `typescript` (more than types), or the forbidden pattern (`process`, `require`, `eval`, …).",
    ),
});

/** RFC 9457 problem details with Bulkhead's own fields. */
export const Problem = z
  .object({
    type: z.string().describe("A URI that names the kind of problem."),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("The fault, and the next step."),
    instance: z.string(),
    code: z.string().describe("noun.problem; permanent."),
    retryable: z.boolean().describe("Whether the same request may succeed later without a change."),
    errors: z.array(ProblemDetail).optional(),
    success: z.literal(false),
    meta: Meta,
  })
  .meta({ id: "Problem" });

export type Problem = z.infer<typeof Problem>;

/** The largest body a route takes, in bytes. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** How deep a JSON body may nest. */
export const BODY_DEPTH_MAX = 100;
/** Names, objects and lists of a JSON body, all together: parsing a body at the bound takes 0.15 s at the very worst. */
export const BODY_PARTS_MAX = 100_000;

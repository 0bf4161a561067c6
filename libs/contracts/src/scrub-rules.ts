import {
  CONFIG_VALUE_BYTES_MAX,
  SCRUB_PATTERN_CHARS_MAX,
  SCRUB_RULE_NAME,
  SCRUB_RULE_NAME_CHARS_MAX,
} from "@bulkhead/core";
import { z } from "zod";
import { text, timestamp } from "./fields.ts";

export const CreateScrubRule = z
  .strictObject({
    name: z
      .string()
      .max(SCRUB_RULE_NAME_CHARS_MAX)
      .regex(SCRUB_RULE_NAME, "must start with a lowercase letter or a digit and hold only those, ., - and _")
      .describe("Its matches are counted as `rule:<name>`."),
    pattern: text(SCRUB_PATTERN_CHARS_MAX, 1)
      .optional()
      .describe(
        "A regular expression whose matches are covered. Refused if it could take more than linear time.",
      ),
    value: text(CONFIG_VALUE_BYTES_MAX, 1)
      .optional()
      .describe("One value that is covered in all its encodings; write-only."),
    allowWeak: z
      .boolean()
      .default(false)
      .describe(
        "Takes a value that is short or a common word; it is covered only where it stands as a whole word.",
      ),
  })
  .refine(({ pattern, value }) => (pattern === undefined) !== (value === undefined), {
    path: ["pattern"],
    message: "must be given, or else value, and not both",
  });

export const ScrubRule = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(["pattern", "value"]),
    pattern: z.string().optional(),
    wholeWordsOnly: z.boolean(),
    createdBy: z.string().describe("Id of the key that made it."),
    createdAt: timestamp,
  })
  .meta({ id: "ScrubRule" });

export const ScrubRules = z.object({
  rules: z.array(ScrubRule),
  nextCursor: z.null(),
  counts: z
    .array(z.object({ kind: z.string(), count: z.int() }))
    .describe(
      "How often something was covered so far, the most first: `value` for secrets and exact values, `rule:<name>` for patterns of these rules, else the name of a known kind of credential.",
    ),
});

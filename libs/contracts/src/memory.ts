import { MEMORY_QUERY_CHARS_MAX, MEMORY_RESULTS_DEFAULT, MEMORY_RESULTS_MAX } from "@bulkhead/core";
import { z } from "zod";
import { text, wholeNumber } from "./fields.ts";
import { WorkspaceQuery } from "./files.ts";

/** A number from 0 to 1, as a query has it. */
const fraction = z.preprocess(
  (value) => (typeof value === "string" && /^\d(\.\d{1,6})?$/.test(value) ? Number(value) : value),
  z.number().min(0).max(1),
);

export const MemoryQuery = z.strictObject({
  query: text(MEMORY_QUERY_CHARS_MAX, 1)
    .regex(/\S/, "must not be blank")
    .describe("What to look for, in any language."),
  ...WorkspaceQuery.shape,
  limit: wholeNumber(1, MEMORY_RESULTS_MAX)
    .default(MEMORY_RESULTS_DEFAULT)
    .describe("Results that are answered at most."),
  minScore: fraction.default(0).describe("Results below are left out."),
});

const MemoryResult = z
  .object({
    path: z.string(),
    startLine: z.int().describe("From 1."),
    endLine: z.int().describe("Of the last line of the text."),
    text: z.string(),
    score: z
      .number()
      .describe("1: first by words and by meaning; what only one of both finds has 0.5 at most."),
    scope: z.enum(["user", "global"]).describe("The user's own document, or the agent's or the tenant's."),
  })
  .meta({ id: "MemoryResult" });

export const MemoryFound = z.object({
  results: z
    .array(MemoryResult)
    .describe("The best one first. What stands in several documents alike is told of one."),
  mode: z
    .enum(["hybrid", "words"])
    .describe("`words`: by words alone, since the embeddings could not be had."),
  note: z.string().nullable().describe("Why it was by words alone; null: it was not."),
  notSearched: z
    .object({
      pending: z.int().describe("Not indexed yet; search again in some seconds."),
      tooLarge: z.int().describe("Longer than 1 MiB."),
      notText: z.int(),
    })
    .describe("How many documents could not be looked through."),
  cut: z
    .boolean()
    .describe("There are more documents than one search looks through; the oldest are left out."),
  nextCursor: z.null().describe("Results are answered whole."),
});

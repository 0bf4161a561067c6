import type { z } from "zod";
import { describeIssues, type InputFault } from "./describe-issues.ts";
import { plainWords } from "./plain-words.ts";

/** The input as `schema` reads it, or all that is wrong with it, each fault with its field. */
export function readInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
): { value: z.output<S>; faults: null } | { value: null; faults: InputFault[] } {
  const parsed = schema.safeParse(input, { error: plainWords });
  if (parsed.success) return { value: parsed.data, faults: null };
  return { value: null, faults: describeIssues(parsed.error, schema, input) };
}

import { valueOf, type Json, type RunnableTool, type SchemaChecker } from "@bulkhead/core";
import { failed, type Judged } from "./judge.ts";
import type { Report } from "../end/report.ts";

export interface CheckOutputDeps {
  schemas: Pick<SchemaChecker, "checkResult">;
  report: Report;
}

/** Faults that one message tells of, and its characters. */
const FAULTS_TOLD_MAX = 5;
const MESSAGE_CHARS_MAX = 1_500;

const HOLDS_SECRETS =
  "The result does not match the tool's output schema. It holds secrets, so it is not told where.";

/**
 * What a run is judged as whose tool says what its results are like: `covered`, which is `judged` with its secrets covered,
 * where the result as it was made does match. `key` names the tenant's schema.
 */
export async function checkOutput(
  deps: CheckOutputDeps,
  { outputSchema }: Pick<RunnableTool, "outputSchema">,
  schema: { tenantId: string; key: string },
  judged: Judged,
  covered: Judged,
): Promise<Judged> {
  if (outputSchema === null || judged.status !== "succeeded") return covered;
  const message = await whyInvalid(deps, schema, outputSchema, valueOf(judged.result));
  if (message === null) return covered;
  // A fault's path is made of the result's own keys, and cut to a length.
  return failed("failed", "tool.output_invalid", covered === judged ? message : HOLDS_SECRETS);
}

async function whyInvalid(
  { schemas, report }: CheckOutputDeps,
  { tenantId, key }: { tenantId: string; key: string },
  schema: NonNullable<RunnableTool["outputSchema"]>,
  result: Json,
): Promise<string | null> {
  try {
    const faults = await schemas.checkResult(tenantId, key, schema, result);
    if (faults.length === 0) return null;
    const told = faults.slice(0, FAULTS_TOLD_MAX).map(({ path, message }) => `${path}: ${message}`);
    const more = faults.length > told.length ? `; and ${faults.length - told.length} more` : "";
    return cut(`The result does not match the tool's output schema: ${told.join("; ")}${more}.`);
  } catch (error) {
    // The run is over and can't be had back: what nobody could check must not pass as checked.
    report("checking a result failed", error);
    return "The result could not be checked against the tool's output schema: too many checks wait; call the tool again.";
  }
}

const cut = (text: string): string =>
  text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text;

import { matchExample, type CheckSchema, type ExampleEnd, type ToolExample } from "@bulkhead/contracts";
import { canonicalJson, type FaultDetail, type SchemaChecker } from "@bulkhead/core";
import { createHash } from "node:crypto";

/** How a draft's example ended in the sandbox. */
export interface TriedExample extends ExampleEnd {
  executionId: string;
  /** Its error's text; null: it succeeded. */
  message: string | null;
}

export interface JudgeDeps {
  schemas: Pick<SchemaChecker, "checkSchema" | "checkResult">;
}

/** Schemas in one example that are checked: each is compiled, which takes some milliseconds of this thread. */
const SCHEMAS_MAX = 20;

/** What of an example's run is not as the example says, in words for whoever wrote both. */
export async function judgeDraft(
  { schemas }: JudgeDeps,
  tenantId: string,
  { result }: ToolExample,
  { message, ...end }: TriedExample,
): Promise<FaultDetail[]> {
  const differences = await matchExample(result, end, schemaCheck(schemas, tenantId));
  return differences.map(({ path, expected, got }) => ({
    path: path === "" ? "example.result" : `example.result.${path}`,
    message: `expected ${expected}, the run gave ${got}${message === null ? "" : `: ${message}`}`,
  }));
}

/** The schemas of an example's result are a stranger's, and are checked where those of tools are. */
function schemaCheck(schemas: JudgeDeps["schemas"], tenantId: string): CheckSchema {
  let checked = 0;
  return async (schema, value) => {
    checked += 1;
    if (checked > SCHEMAS_MAX)
      return [{ path: "", message: `${SCHEMAS_MAX} $schema in one example at most` }];
    if (typeof schema !== "object" || schema === null || Array.isArray(schema))
      return [{ path: "", message: "a JSON Schema, which this $schema is not" }];
    const { faults } = await schemas.checkSchema(tenantId, schema, "outputSchema");
    const [fault] = faults;
    if (fault) return [{ path: "", message: `a usable JSON Schema in $schema: ${fault.message}` }];
    const key = `draft/${createHash("sha256").update(canonicalJson(schema)).digest("hex")}/result`;
    const found = await schemas.checkResult(tenantId, key, schema, value);
    return found.map(({ path, message }) => ({ path: path.replace(/^result\.?/, ""), message }));
  };
}

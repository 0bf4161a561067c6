import {
  type JsonObject,
  type SchemaChecker,
  type SchemaPlace,
  type ToolDefinition,
  Fault,
} from "@bulkhead/core";
import { checkTenantTemplate } from "../built-in/shell/command-threads.ts";
import { checkApprovalCode } from "./check-approval-code.ts";
import { checkCode } from "./check-code.ts";
import { codeWarnings } from "./code-warnings.ts";
import { reservedReason } from "./reserved-names.ts";

/** Throws `request.invalid` for a name or an alias that is taken by the platform itself. */
export function checkName(name: string, path: "name" | "alias" = "name"): void {
  const reason = reservedReason(name);
  if (reason) throw new Fault("request.invalid", { detail: reason, errors: [{ path, message: reason }] });
}

/**
 * Answers the warnings. Throws `tool.code_invalid` with the line, column and rule of each fault, or `tool.schema_invalid`
 * with each fault's path.
 */
export async function checkDefinition(
  schemas: Pick<SchemaChecker, "checkSchema">,
  { tenantId }: { tenantId: string },
  definition: Omit<ToolDefinition, "limits" | "allowedHosts">,
): Promise<string[]> {
  const { code, compiled, shell, approvalCode } = definition;
  const named = shell ? null : checkCode(compiled ?? code);
  if (shell) await checkTenantTemplate(tenantId, shell.template, definition.parameters);
  const ofApproval = approvalCode === undefined ? [] : checkApprovalCode(approvalCode);
  const unchecked = await checkSchemas(schemas, tenantId, definition);
  const ofCode = named === null ? [] : codeWarnings(named, definition);
  return [...unchecked, ...ofCode, ...ofApproval];
}

/** The same of its schemas alone. */
export const checkSchemas = async (
  schemas: Pick<SchemaChecker, "checkSchema">,
  tenantId: string,
  { parameters, outputSchema }: Pick<ToolDefinition, "parameters" | "outputSchema">,
): Promise<string[]> => [
  ...(await checkSchema(schemas, tenantId, parameters, "parameters")),
  ...(outputSchema === null ? [] : await checkSchema(schemas, tenantId, outputSchema, "outputSchema")),
];

async function checkSchema(
  schemas: Pick<SchemaChecker, "checkSchema">,
  tenantId: string,
  schema: JsonObject,
  place: SchemaPlace,
): Promise<string[]> {
  const { faults: errors, warnings } = await schemas.checkSchema(tenantId, schema, place);
  const [first] = errors;
  if (first) throw new Fault("tool.schema_invalid", { detail: `${first.path}: ${first.message}.`, errors });
  return warnings.map(({ path, message }) => `${path} ${message}.`);
}

import {
  GRANTED_PERMISSIONS,
  type Permission,
  type SchemaChecker,
  type ToolDefinition,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { checkCode } from "@bulkhead/tool-code";
import { reservedReason } from "./reserved-names.ts";

/** Throws `request.invalid` for a name that is taken by the platform itself. */
export function checkName(name: string): void {
  const reason = reservedReason(name);
  if (reason)
    throw new Fault("request.invalid", { detail: reason, errors: [{ path: "name", message: reason }] });
}

/** Throws `tool.code_invalid` with the line, column and rule of each fault, or `tool.schema_invalid` with each fault's path. */
export async function checkDefinition(
  schemas: Pick<SchemaChecker, "checkSchema">,
  { code, parameters }: Pick<ToolDefinition, "code" | "parameters">,
): Promise<void> {
  requireValidCode(code);
  const errors = await schemas.checkSchema(parameters);
  if (errors.length > 0) {
    throw new Fault("tool.schema_invalid", { detail: `${errors[0]?.path}: ${errors[0]?.message}.`, errors });
  }
}

function requireValidCode(code: string): void {
  const errors = checkCode(code).map(({ line, column, rule, message }) => ({
    path: "code",
    message: `line ${line}, column ${column}: ${message} (${rule})`,
    line,
    column,
    rule,
  }));
  const [first] = errors;
  if (!first) return;
  const what = first.rule === "syntax" ? "does not compile" : "holds a forbidden pattern";
  throw new Fault("tool.code_invalid", { detail: `The code ${what}: ${first.message}`, errors });
}

/** What of a definition this deployment accepts but can't give. */
export function definitionWarnings(permissions: Permission[], requiredApiKeys: { name: string }[]): string[] {
  const permissionWarnings = permissions
    .filter((permission) => !GRANTED_PERMISSIONS.includes(permission))
    .map(
      (permission) =>
        `The permission "${permission}" is noted, but this deployment has no such capability to give.`,
    );
  const keyWarnings = requiredApiKeys.map(
    ({ name }) => `The API key "${name}" is noted, but this deployment has no config centre to take it from.`,
  );
  return [...permissionWarnings, ...keyWarnings];
}

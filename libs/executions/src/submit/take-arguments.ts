import {
  completeArguments,
  type JsonObject,
  type SchemaChecker,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";

export interface TakeDeps {
  schemas: Pick<SchemaChecker, "checkArguments">;
}

/** The caller: an agent's null stands for an optional property that is left out. */
type Caller = Pick<TenantPrincipal, "tenantId" | "role" | "applyDefaults">;

/** The tool that is called, as far as its arguments go; `applyDefaults` null: as the tenant's settings say. */
export interface Taker {
  parameters: JsonObject;
  applyDefaults: boolean | null;
}

/**
 * The arguments as a call would run with them: completed, then checked. `schemaKey` names an immutable schema. Throws
 * `tool.arguments_invalid`, which names every offending field.
 */
export async function takeArguments(
  deps: TakeDeps,
  caller: Caller,
  schemaKey: string,
  taker: Taker,
  asked: JsonObject,
): Promise<JsonObject> {
  const args = completedArguments(caller, taker, asked);
  await requireValidArguments(deps, caller, schemaKey, taker.parameters, args);
  return args;
}

/**
 * The arguments with the defaults that are to be filled in, and without the nulls that stand for nothing. Throws
 * `tool.arguments_invalid`.
 */
export function completedArguments(caller: Caller, taker: Taker, asked: JsonObject): JsonObject {
  const completed = completeArguments(taker.parameters, asked, {
    defaults: taker.applyDefaults ?? caller.applyDefaults ?? false,
    nullsAreAbsent: caller.role === "agent",
  });
  if ("arguments" in completed) return completed.arguments;
  const { fault: message } = completed;
  throw new Fault("tool.arguments_invalid", {
    detail: `arguments: ${message}.`,
    errors: [{ path: "arguments", message }],
  });
}

/** Throws `tool.arguments_invalid`, which names every offending field. */
export async function requireValidArguments(
  { schemas }: TakeDeps,
  { tenantId }: Pick<Caller, "tenantId">,
  schemaKey: string,
  schema: JsonObject,
  value: JsonObject,
): Promise<void> {
  const errors = await schemas.checkArguments(tenantId, schemaKey, schema, value);
  if (errors.length === 0) return;
  const [first] = errors;
  throw new Fault("tool.arguments_invalid", { detail: `${first?.path}: ${first?.message}.`, errors });
}

import {
  decideApproval,
  isStandingApproved,
  type ApprovalStore,
  type JsonObject,
  type RateLimiter,
  type SchemaChecker,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { takeSessionCalls } from "../session-calls.ts";
import type { NewCall } from "./build-execution.ts";
import { isBuiltIn, requireLetRun, type BuiltInTool } from "./built-in-tool.ts";

export interface CheckDeps {
  schemas: Pick<SchemaChecker, "checkArguments">;
  rateLimiter: Pick<RateLimiter, "take">;
  approvals: Pick<ApprovalStore, "standingOf">;
}

type Call = Pick<NewCall, "arguments" | "context">;

/**
 * Whether this principal may call this tool with these arguments now, and whether a person has to allow it first. Throws
 * `tool.not_active`, `tool.blocked`, `tool.arguments_invalid` or `session.rate_limited`.
 */
export async function checkCall(
  deps: CheckDeps,
  principal: TenantPrincipal,
  tool: Tool | BuiltInTool,
  call: Call,
): Promise<"may_run" | "must_wait"> {
  if (isBuiltIn(tool)) return checkBuiltIn(deps, principal, tool, call);
  if (tool.status !== "active") {
    throw new Fault("tool.not_active", {
      detail: `The tool ${tool.name} is ${tool.status}; only active tools run.${tool.statusReason ? ` ${tool.statusReason}` : ""}`,
    });
  }
  // People who call by their own key have decided.
  const decision =
    principal.role === "agent" ? decideApproval(principal.approval, tool, call.arguments) : "preApproved";
  if (decision === "blocked") {
    throw new Fault("tool.blocked", {
      detail: `The tenant's policy blocks this call of ${tool.name} for agents; a person can make it.`,
    });
  }
  await requireValidArguments(deps, principal, `${tool.id}@${tool.version}`, tool.parameters, call.arguments);
  await takeSession(deps, principal, call);
  if (decision === "preApproved") return "may_run";
  const standing = await deps.approvals.standingOf(principal.tenantId, tool.id, tool.version);
  return isStandingApproved(standing, call.arguments) ? "may_run" : "must_wait";
}

async function checkBuiltIn(
  deps: CheckDeps,
  principal: TenantPrincipal,
  { builtIn: { name, parameters } }: BuiltInTool,
  call: Call,
): Promise<"may_run"> {
  requireLetRun(principal, name, call.arguments);
  await requireValidArguments(deps, principal, `built-in/${name}`, parameters, call.arguments);
  await takeSession(deps, principal, call);
  return "may_run";
}

async function takeSession(
  { rateLimiter }: CheckDeps,
  { tenantId, limits: { sessionCallsPerMinute } }: TenantPrincipal,
  { context: { sessionKey } }: Call,
): Promise<void> {
  if (sessionKey !== undefined && sessionCallsPerMinute > 0)
    await takeSessionCalls(rateLimiter, tenantId, sessionKey, sessionCallsPerMinute, 1);
}

/** Throws `tool.arguments_invalid`, which names every offending field. */
export async function requireValidArguments(
  { schemas }: Pick<CheckDeps, "schemas">,
  { tenantId }: Pick<TenantPrincipal, "tenantId">,
  schemaKey: string,
  schema: JsonObject,
  value: JsonObject,
): Promise<void> {
  const errors = await schemas.checkArguments(tenantId, schemaKey, schema, value);
  if (errors.length === 0) return;
  const [first] = errors;
  throw new Fault("tool.arguments_invalid", { detail: `${first?.path}: ${first?.message}.`, errors });
}

import {
  decideApproval,
  type ApprovalStore,
  type JsonObject,
  type RateLimiter,
  standingFor,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";
import { sightOf, withGrant } from "@bulkhead/policy";
import { takeSessionCall } from "../attempt/session-calls.ts";
import type { CallMay, NewCall } from "./build-execution.ts";
import { decideBuiltInCall, isBuiltIn, type BuiltInTool } from "./built-in-tool.ts";
import { isByAgent } from "./only-for-keys.ts";
import type { StandingCounter } from "./standing-uses.ts";
import { completedArguments, requireValidArguments, type TakeDeps } from "./take-arguments.ts";

export interface CheckDeps extends TakeDeps {
  rateLimiter: Pick<RateLimiter, "take">;
  approvals: Pick<ApprovalStore, "standingOf">;
  standingUses: Pick<StandingCounter, "saw">;
}

type Call = Pick<NewCall, "arguments" | "context">;

/** A call that may be made: whether a person has to allow it first, and the arguments that it runs with. */
export interface CheckedCall {
  may: CallMay;
  arguments: JsonObject;
}

/**
 * Whether this principal may call this tool with these arguments now; they are completed first, so that everything else looks
 * at what would run. Throws `tool.not_active`, `tool.blocked`, `tool.arguments_invalid` or `session.rate_limited`.
 */
export async function checkCall(
  deps: CheckDeps,
  principal: TenantPrincipal,
  tool: Tool | BuiltInTool,
  call: Call,
): Promise<CheckedCall> {
  if (isBuiltIn(tool)) return checkBuiltIn(deps, principal, tool, call);
  if (tool.status !== "active") {
    throw new Fault("tool.not_active", {
      detail: `The tool ${tool.name} is ${tool.status}; only active tools run.${tool.statusReason ? ` ${tool.statusReason}` : ""}`,
    });
  }
  const args = completedArguments(principal, tool, call.arguments);
  // People who call by their own key have decided.
  const decision =
    principal.role === "agent"
      ? withGrant(decideApproval(principal.approval, tool, args), sightOf(principal, call.context), tool)
      : "preApproved";
  if (decision === "blocked") {
    throw new Fault("tool.blocked", {
      detail: `The tenant's policy blocks this call of ${tool.name} for agents; a person can make it.`,
    });
  }
  await requireValidArguments(deps, principal, `${tool.id}@${tool.version}`, tool.parameters, args);
  await takeSessionCall(deps.rateLimiter, principal, call.context);
  if (decision === "preApproved") return { may: "may_run", arguments: args };
  const standing = await deps.approvals.standingOf(principal.tenantId, tool.id, tool.version);
  const asks = decision === "toolDecides" ? "tool_decides" : "must_wait";
  const found = standingFor(standing, args);
  if (found) deps.standingUses.saw(found.standingId);
  return { may: found ? "may_run" : asks, arguments: args };
}

async function checkBuiltIn(
  deps: CheckDeps,
  principal: TenantPrincipal,
  { builtIn }: BuiltInTool,
  call: Call,
): Promise<CheckedCall> {
  const { name, parameters } = builtIn;
  const args = completedArguments(principal, { parameters, applyDefaults: null }, call.arguments);
  await requireValidArguments(deps, principal, `built-in/${name}`, parameters, args);
  const byAgent = isByAgent(principal, builtIn, call.context);
  const decision = await decideBuiltInCall(principal, builtIn, args, byAgent);
  await takeSessionCall(deps.rateLimiter, principal, call.context);
  return { may: decision === "ask" ? "must_wait" : "may_run", arguments: args };
}

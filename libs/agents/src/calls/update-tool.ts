import { asRequiredServices, type UpdateToolCall } from "@bulkhead/contracts";
import { type TenantPrincipal, type Tool, Fault } from "@bulkhead/core";
import { stateTag, updateTool, type UpdateToolRequest } from "@bulkhead/tools";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import { changedTool } from "./changed-tool.ts";
import { getModelsTool } from "./models-tool.ts";
import { readParameters } from "./read-parameters.ts";
import { keysOf } from "./required-keys.ts";

/**
 * `update_tool`: changes a model's tool. A version that may do more than was approved, or that has a dangerous permission,
 * waits for a person while the approved one runs on. Throws like an update, `tool.made_by_user`, `tool.blocked`, and
 * `tool.changed` when somebody else changed the tool at the same moment.
 */
export async function callUpdateTool(deps: MetaToolDeps, principal: TenantPrincipal, call: UpdateToolCall) {
  const current = await getModelsTool(deps, principal, call, { what: "change", how: "PATCH " });
  const { context: _context, ...args } = { ...call, name: current.name };
  deps.metaToolGate.refuseBlocked(principal, { name: "update_tool", arguments: args });
  const change: UpdateToolRequest = {
    goesOnFrom: "latest",
    conversationId: call.context.conversationId,
    ...(call.description === undefined ? {} : { description: call.description }),
    ...(call.category === undefined ? {} : { category: call.category }),
    ...(call.code === undefined ? {} : { code: call.code }),
    ...(call.parameters === undefined ? {} : { parameters: readParameters(call.parameters) }),
    ...(call.permissions === undefined ? {} : { permissions: call.permissions }),
    ...(call.required_api_keys === undefined ? {} : { requiredApiKeys: keysOf(call.required_api_keys) }),
    ...(call.required_config_services === undefined
      ? {}
      : { requiredConfigServices: asRequiredServices(call.required_config_services) }),
  };
  // The tag of the tool as it was read just now: a person's change in between is not overwritten.
  const { tool, warnings } = await updateTool(deps, principal, current.id, change, [stateTag(current)]).catch(
    inModelsWords,
  );
  return changedTool(tool, whatHappened(current, tool), warnings);
}

/** Tells a model the effect of its change. */
function whatHappened(before: Tool, { name, version, pendingVersion, status, statusReason }: Tool): string {
  if (pendingVersion !== null && pendingVersion !== before.pendingVersion)
    return `Version ${pendingVersion} of the tool ${name} waits for a person's approval; until then version ${version} runs on. Ask the user to look at it.`;
  if (version === before.version)
    return `The tool ${name} was changed; how it runs is as before (version ${version}).`;
  if (status === "pending_approval" || status === "rejected")
    return `The tool ${name} was changed; it is ${status} and can't be called.${statusReason ? ` ${statusReason}` : ""}`;
  return `The tool ${name} was changed; version ${version} runs from now on.`;
}

/** A model sends no If-Match, so the message must not mention one. */
function inModelsWords(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== "tool.precondition_failed") throw error;
  const detail = "Somebody else changed the tool at the same moment; call update_tool again.";
  throw new Fault("tool.changed", { detail, cause: error });
}

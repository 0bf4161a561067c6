import { CreateToolCall, DeleteCustomToolCall } from "@bulkhead/contracts";
import { scopeOf, type ConfirmedCall, type JsonObject, type TenantPrincipal, Fault } from "@bulkhead/core";
import { strict as assert } from "node:assert";
import { callCreateTool, createdTool } from "./calls/create-tool.ts";
import { callDeleteTool, deletedTool } from "./calls/delete-tool.ts";
import type { MetaToolDeps } from "./meta-tool-deps.ts";
import { OPEN_GATE } from "./meta-tool-gate.ts";

type ConfirmedDeps = Omit<MetaToolDeps, "metaToolGate">;

/**
 * Makes a call that a person has allowed, and returns the meta-tool's answer. An effect of an earlier, interrupted try is
 * not repeated: the tool's id was stored when the person was asked. Throws what the meta-tools throw.
 */
export async function doConfirmed(
  deps: ConfirmedDeps,
  principal: TenantPrincipal,
  call: ConfirmedCall,
  repeated: boolean,
): Promise<JsonObject> {
  const answer =
    call.name === "create_tool"
      ? await create(deps, principal, call)
      : await remove(deps, principal, call, repeated);
  return answer as object as JsonObject;
}

async function create(
  deps: ConfirmedDeps,
  principal: TenantPrincipal,
  { toolId, arguments: args, context }: ConfirmedCall,
) {
  const made = await deps.tools.find(principal.tenantId, toolId, scopeOf(principal));
  if (made) return createdTool(made);
  const call = CreateToolCall.parse({ ...args, context });
  const done = await callCreateTool({ ...deps, metaToolGate: OPEN_GATE }, principal, call, toolId);
  assert("answer" in done, "an open gate lets everything through");
  return done.answer;
}

async function remove(
  deps: ConfirmedDeps,
  principal: TenantPrincipal,
  { toolId, arguments: args, context }: ConfirmedCall,
  repeated: boolean,
) {
  const call = DeleteCustomToolCall.parse({ ...args, context });
  try {
    // By its id: a person has allowed the deletion of this tool, not of another that has its name by now.
    const byId = { ...call, name: toolId };
    const done = await callDeleteTool({ ...deps, metaToolGate: OPEN_GATE }, principal, byId);
    assert("answer" in done, "an open gate lets everything through");
    return done.answer;
  } catch (error) {
    if (repeated && error instanceof Fault && error.code === "tool.not_found") return deletedTool(call.name);
    throw error;
  }
}

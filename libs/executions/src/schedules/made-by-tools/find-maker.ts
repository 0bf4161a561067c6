import {
  Fault,
  isBuiltInToolName,
  type CallContext,
  type CapabilityCaller,
  type Execution,
  type ExecutionKey,
  type ExecutionStore,
  type ScheduleOwner,
  type TenantPrincipal,
} from "@bulkhead/core";
import { principalOf, type PrincipalDeps } from "../schedule-principal.ts";

export interface MakerDeps extends PrincipalDeps {
  executions: Pick<ExecutionStore, "find">;
}

/** Whose schedules the run sees. A stored tool is told by its id, which no other ever has. */
export function ownerOf({ tenantId, toolName, agentId, userId, run }: CapabilityCaller): ScheduleOwner {
  return { tenantId, madeByTool: run.toolId ?? toolName, agentId, userId };
}

/** The context of what it plans: that of the call which the run belongs to, of which only the id is of that call alone. */
export function contextOf({ run }: CapabilityCaller): CallContext {
  const { callId: _, ...context } = run.context;
  return context;
}

/**
 * For whom the run changes schedules: the key of the call that it belongs to, as it is now. Throws `auth.forbidden` for a run
 * that may leave none behind, and `schedule.key_gone`.
 */
export async function findMaker(
  deps: MakerDeps,
  caller: CapabilityCaller,
): Promise<{ principal: TenantPrincipal; owner: ScheduleOwner }> {
  const { tenantId, executionId, toolName, run } = caller;
  const first = await findFirst(deps, { tenantId, executionId });
  const isKept = run.toolId !== null || isBuiltInToolName(toolName);
  if (!first || first.source === "dry_run" || !isKept)
    throw denied("A run of code that is not kept as a tool makes and changes no schedules.");
  if (first.accessTokenId !== undefined)
    throw denied("This call came by an access token, which schedules would outlive; call it by an API key.");
  const owner = ownerOf(caller);
  const { madeByTool } = owner;
  const principal = await principalOf(deps, { tenantId, createdBy: first.requestedBy, madeByTool });
  return { principal, owner };
}

/** The execution of the call that led to this one: it alone tells by what that call came. */
async function findFirst(deps: Pick<MakerDeps, "executions">, key: ExecutionKey): Promise<Execution | null> {
  let found = await deps.executions.find(key);
  while (found && found.parentId !== null)
    found = await deps.executions.find({ tenantId: key.tenantId, executionId: found.parentId });
  return found;
}

const denied = (detail: string): Fault => new Fault("auth.forbidden", { detail });

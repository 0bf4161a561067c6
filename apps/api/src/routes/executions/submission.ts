import {
  firstUse,
  readCallback,
  submitExecution,
  type CallbackDeps,
  type NewCall,
  type SubmitDeps,
  type Submitted,
} from "@bulkhead/executions";
import { IdempotencyKeyHeader } from "@bulkhead/contracts";
import { mayRun, type ExecutionStore, type TenantPrincipal, Fault } from "@bulkhead/core";
import { noSuchToolFor } from "@bulkhead/tools";
import { z } from "zod";
import type { ToolLookup } from "../tools/tool-lookup.ts";

export const SubmissionHeaders = z.looseObject({ "idempotency-key": IdempotencyKeyHeader });

/** Throws `auth.forbidden` for an agent that asks that nothing be kept: only tools and tenants say so. */
export function requireStored({ role }: Pick<TenantPrincipal, "role">, stores: readonly boolean[]): void {
  if (role === "agent" && stores.includes(false))
    throw new Fault("auth.forbidden", {
      detail:
        "An agent's key can't say store: false; the retention of the tool or its tenant says what is kept.",
    });
}

export type SubmitCallDeps = SubmitDeps &
  CallbackDeps & {
    executions: Pick<ExecutionStore, "findByKey">;
    toolLookup: Pick<ToolLookup, "findCallable">;
  };

/** A call that names its tool, and whose callback is as its caller wrote it. */
interface AskedCall extends Omit<NewCall, "callback"> {
  ref: string;
  version: number | undefined;
  callback: Parameters<typeof readCallback>[2] | undefined;
}

/** Submits a call of the tool that it names; a repeat gets the first answer, also when its tool is gone meanwhile. */
export async function submitCall(
  deps: SubmitCallDeps,
  principal: TenantPrincipal,
  { ref, version, callback, ...call }: AskedCall,
): Promise<Submitted> {
  const { tenantId } = principal;
  const known = await firstUse(deps, tenantId, call.once);
  if (known !== null) return { executionId: known, repeated: true };
  const { accessToken } = principal;
  // Before a version is looked for: of what a token may not run it is told nothing.
  if (accessToken && !mayRun(accessToken, await deps.toolLookup.findCallable(principal, ref, call.context)))
    throw noSuchToolFor(principal);
  const tool = await deps.toolLookup.findCallable(principal, ref, { ...call.context, version });
  return submitExecution(deps, principal, tool, {
    ...call,
    callback: callback ? await readCallback(deps, tenantId, callback) : null,
  });
}

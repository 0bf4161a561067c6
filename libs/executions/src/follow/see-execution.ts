import {
  mayFollow,
  onlyAgentOf,
  seesCallOf,
  type Execution,
  type ExecutionKey,
  type ExecutionStore,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";

export interface SeeDeps {
  executions: Pick<ExecutionStore, "find">;
}

/** The answer for an execution that may not be seen, and for one that is not there. */
export const noSuchExecution = () =>
  new Fault("execution.not_found", { detail: "There is no execution with this id." });

/** The execution as it is there for this key, or for an access token of it. Throws `execution.not_found`. */
export async function seeExecution(
  { executions }: SeeDeps,
  principal: TenantPrincipal,
  key: ExecutionKey,
): Promise<Execution> {
  const execution = await executions.find(key);
  if (!execution || !seesCallOf(principal, execution.context.agentId)) throw noSuchExecution();
  if (!mayFollow(principal.accessToken, execution)) throw noSuchExecution();
  return execution;
}

/**
 * To be called before a deed on an execution: throws `execution.not_found` where the key may not see it. For a key that
 * sees all it reads nothing: the deed itself finds what is not there. Whom a call was made for never changes.
 */
export async function requireSeen(
  deps: SeeDeps,
  principal: TenantPrincipal,
  key: ExecutionKey,
): Promise<void> {
  if (onlyAgentOf(principal) !== null) await seeExecution(deps, principal, key);
}

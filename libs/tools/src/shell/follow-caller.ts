import type { ApiKeyStore, Clock, ExecutionStore, ShellEngineName } from "@bulkhead/core";
import type { FileAsker } from "../files/file-access.ts";
import { findEngine, type ShellDeps } from "./run-command.ts";

export interface CallerDeps {
  executions: Pick<ExecutionStore, "find">;
  apiKeys: Pick<ApiKeyStore, "find">;
  clock: Clock;
}

/** Why a command may not go on, in a sentence for whoever asks for its end; null: it may. */
export type WhyOver = () => Promise<string | null>;

/**
 * What lets a command of this run go on behind its end: the key of the call, the tenant, and the tenant's settings. A call that
 * was planned may be made when its key is gone already; then the key ends nothing.
 */
export async function followCaller(
  { executions, apiKeys, clock }: CallerDeps,
  shell: Pick<ShellDeps, "tenants">,
  { workspace: { tenantId }, by }: FileAsker,
  begunBy: ShellEngineName,
): Promise<WhyOver> {
  const keyId = (await executions.find({ tenantId, executionId: by }))?.requestedBy;
  const isKeyGood = async (): Promise<boolean> => {
    const found = keyId === undefined ? null : await apiKeys.find(tenantId, keyId);
    return found !== null && (found.goodUntil === null || found.goodUntil > clock());
  };
  const hasKey = await isKeyGood();
  return async () => {
    const engine = await findEngine(shell, tenantId);
    if (engine === null) return "The tenant is gone.";
    if (engine === "off" || (begunBy === "namespaces" && engine !== begunBy))
      return "The tenant's settings let no such command run any more (shell.engine).";
    return hasKey && !(await isKeyGood()) ? "The API key by which it was started is no longer valid." : null;
  };
}

import {
  mayFollow,
  seesCallOf,
  type ByteRange,
  type ExecutionKey,
  type ExecutionStore,
  type PayloadBytes,
  type PayloadPart,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { noSuchExecution } from "./see-execution.ts";

export interface ReadPayloadDeps {
  executions: Pick<ExecutionStore, "readPayload">;
}

/**
 * Bytes of the arguments or the result of an execution that the key sees. Throws `execution.not_found`, and
 * `execution.range_beyond` with `beyond` told the whole text's bytes.
 */
export async function readPayload(
  { executions }: ReadPayloadDeps,
  principal: TenantPrincipal,
  key: ExecutionKey,
  part: PayloadPart,
  range: ByteRange,
  beyond: (total: number) => void,
): Promise<PayloadBytes> {
  const found = await executions.readPayload(key, part, range);
  if (!found || !seesCallOf(principal, found.agentId)) throw noSuchExecution();
  const { executionId } = key;
  if (!mayFollow(principal.accessToken, { ...found, executionId })) throw noSuchExecution();
  if (range.from < found.total) return found;
  beyond(found.total);
  throw new Fault("execution.range_beyond", { detail: `The text has ${found.total} bytes; the first is 0.` });
}

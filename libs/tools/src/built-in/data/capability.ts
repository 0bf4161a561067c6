import type { CapabilityCaller, CapabilityFamily } from "@bulkhead/core";
import type { DataAsker, DataDeps } from "../../data.ts";
import { GOAL_READING, GOAL_WRITING } from "./goal-operations.ts";
import { READING, WRITING, type Operate } from "./operations.ts";

const READS = { ...READING, ...GOAL_READING };
const WRITES = { ...WRITING, ...GOAL_WRITING };
const OPERATIONS: ReadonlyMap<string, Operate> = new Map(Object.entries({ ...READS, ...WRITES }));

/** The capability `data`: the custom data of whoever made the call, and what is shared with them. */
export function openData(deps: DataDeps): CapabilityFamily {
  return {
    operations: new Map([
      ...Object.keys(READS).map((name) => [name, "reads"] as const),
      ...Object.keys(WRITES).map((name) => [name, "writes"] as const),
    ]),
    async run({ operation: name, arguments: args }, caller) {
      const operate = OPERATIONS.get(name);
      if (operate) return operate(deps, askerOf(caller), args);
      return { ok: false, code: "invalid_request", message: `there is no operation ${name}` };
    },
  };
}

const askerOf = ({ tenantId, agentId, userId, executionId }: CapabilityCaller): DataAsker => ({
  workspace: { tenantId, agentId, userId },
  by: executionId,
  seesAll: false,
});

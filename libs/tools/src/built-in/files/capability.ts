import type { CapabilityCaller, CapabilityFamily } from "@bulkhead/core";
import type { FileAsker, FilesDeps } from "../../files.ts";
import { refused, type Operate } from "./operation.ts";
import { READING } from "./reading.ts";
import { WRITING } from "./writing.ts";

const OPERATIONS: ReadonlyMap<string, Operate> = new Map(Object.entries({ ...READING, ...WRITING }));

/** The capability `files`: the workspace of whoever made the call, as agents see it. */
export function openFiles(deps: FilesDeps): CapabilityFamily {
  return {
    operations: new Map([
      ...Object.keys(READING).map((name) => [name, "reads"] as const),
      ...Object.keys(WRITING).map((name) => [name, "writes"] as const),
    ]),
    async run({ operation: name, arguments: args, content }, caller) {
      const operate = OPERATIONS.get(name);
      return operate
        ? operate(deps, askerOf(caller), args, content)
        : refused(`there is no operation ${name}`);
    },
  };
}

const askerOf = ({ tenantId, agentId, userId, executionId }: CapabilityCaller): FileAsker => ({
  workspace: { tenantId, agentId, userId },
  by: executionId,
  seesAll: false,
});

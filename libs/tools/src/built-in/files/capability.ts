import type { CapabilityCaller, CapabilityFamily } from "@bulkhead/core";
import type { FileAsker, FilesDeps } from "../../files.ts";
import { openSkillSearch } from "../skills/run.ts";
import { refused, type Operate } from "./operation.ts";
import { READING } from "./reading.ts";
import { WRITING } from "./writing.ts";

/** The capability `files`: the workspace of whoever made the call, as agents see it. */
export function openFiles(deps: FilesDeps): CapabilityFamily {
  const reading: Readonly<Record<string, Operate>> = { ...READING, skills: openSkillSearch() };
  const operations = new Map(Object.entries({ ...reading, ...WRITING }));
  return {
    operations: new Map([
      ...Object.keys(reading).map((name) => [name, "reads"] as const),
      ...Object.keys(WRITING).map((name) => [name, "writes"] as const),
    ]),
    async run({ operation: name, arguments: args, content }, caller) {
      const operate = operations.get(name);
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

import { Fault, type Execution, type TenantPrincipal, type Timings } from "@bulkhead/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { moveTo, type Asker } from "./asker.ts";
import { goesOn } from "./follow-call.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { goingOnOf, resultOf } from "./present-call.ts";

/** The answer to a call whose execution has ended, or goes on although nobody waits for it here any more. */
export async function presentEnd(
  deps: Pick<McpDeps, "toolLookup">,
  { principal, exchange }: Pick<Asker, "principal" | "exchange">,
  execution: Execution,
  bill: () => Timings | null,
): Promise<CallToolResult> {
  if (goesOn(execution)) return goingOnOf(execution);
  moveTo(exchange, execution.executionId, execution.endEventId);
  return resultOf(execution, await hasSchema(deps, principal, execution), bill());
}

/** Whether the tool says what its results look like: then clients expect them as data too. */
async function hasSchema(
  { toolLookup }: Pick<McpDeps, "toolLookup">,
  principal: TenantPrincipal,
  { toolId }: Execution,
): Promise<boolean> {
  if (toolId === null) return false;
  try {
    const { outputSchema } = await toolLookup.find(principal, toolId);
    return outputSchema?.["type"] === "object";
  } catch (error) {
    // A tool that is gone meanwhile promises nothing.
    if (error instanceof Fault && error.code === "tool.not_found") return false;
    throw error;
  }
}

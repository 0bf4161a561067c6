import { withinCeilings, type ClaimedExecution, type RunnableTool } from "@bulkhead/core";
import type { CodeFault } from "@bulkhead/tools/code";
import { failed } from "./judge.ts";

/** The fields that name the code of a run. */
export type RunnableRef = Pick<
  ClaimedExecution,
  "tenantId" | "toolId" | "toolVersion" | "toolStatus" | "inlineTool" | "ceilings"
>;

export interface RunnableDeps {
  /** One version as it runs; null when the tool is gone. */
  findDefinition(tenantId: string, toolId: string, version: number): Promise<RunnableTool | null>;
  /**
   * Finds the fault that static validation has with the code, if any. Asked before every run: answers from memory what
   * it knows.
   */
  findCodeFault(tool: Pick<RunnableTool, "code">): CodeFault | null;
}

/** Also of a tool that is outside the policy of who asks by now. */
export const NOT_THERE = {
  tool: undefined,
  refusal: failed("failed", "tool.not_active", "The tool was disabled or deleted before it ran."),
};

/**
 * Finds the tool that is to run, or why nothing is: the tool is gone or not active, or its code was stored past the
 * rules of today. The code of a server's tool never runs, and a tool with a command has none.
 */
export async function findRunnable(deps: RunnableDeps, claimed: RunnableRef) {
  const tool = await readDefinition(deps, claimed);
  if (!tool) return NOT_THERE;
  const fault = tool.mcp || tool.shell ? null : deps.findCodeFault(tool);
  if (fault) return { refusal: failed("failed", "tool.code_invalid", describe(fault)) };
  return { tool: { ...tool, limits: withinCeilings(tool.limits, claimed.ceilings) } };
}

async function readDefinition(
  deps: Pick<RunnableDeps, "findDefinition">,
  claimed: RunnableRef,
): Promise<RunnableTool | null> {
  // Also what came with its call is not active where its tenant is being deleted.
  if (claimed.toolStatus !== "active") return null;
  if (claimed.inlineTool) return claimed.inlineTool;
  if (!claimed.toolId) return null;
  return deps.findDefinition(claimed.tenantId, claimed.toolId, claimed.toolVersion);
}

/** As a thrown error's place is told. */
const describe = ({ line, column, rule, message }: CodeFault): string =>
  `The code was not run: ${message} [rule: ${rule}] (tool.js:${line}:${column})`;

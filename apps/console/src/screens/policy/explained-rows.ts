import type { ExplainPolicyAnswer } from "@bulkhead/client";
import type { PolicySearch } from "./policy-search.ts";

export type ExplainedTool = ExplainPolicyAnswer["tools"][number];

/** Whether the draft gives or takes the tool. */
export const isChangedBy = ({ allowed, candidate }: ExplainedTool): boolean =>
  candidate !== undefined && candidate.allowed !== allowed;

/** The tools that the address asks for. */
export function shownOf(
  tools: readonly ExplainedTool[],
  { show, q = "" }: Pick<PolicySearch, "show" | "q">,
): ExplainedTool[] {
  const words = q.toLowerCase();
  return tools.filter(
    (tool) =>
      tool.name.toLowerCase().includes(words) &&
      (show === undefined || (show === "changed" ? isChangedBy(tool) : tool.allowed === (show === "in"))),
  );
}

/** The server's line without what a mark beside it says already. */
export const whyOf = (why: string): string => why.replace(/(^|; )(not )?allowed: /, "$1");

import type { ToolStatus } from "@bulkhead/core";
import type { Verdict } from "@bulkhead/policy";
import type { Explanation } from "./explain-policy.ts";

/** What the policy says of each tool, as people see it. */
export const showExplanation = ({ tools, changes, warnings, next, ...rest }: Explanation) => ({
  ...rest,
  tools: tools.map((tool) => ({
    name: tool.name,
    status: tool.status,
    ...showVerdict(tool.status, tool.verdict),
    ...(tool.candidate === null ? {} : { candidate: showVerdict(tool.status, tool.candidate) }),
  })),
  ...(changes === null ? {} : { changes }),
  ...(warnings.length > 0 ? { warnings } : {}),
  nextCursor: next,
});

export const showVerdict = (status: ToolStatus, verdict: Verdict) => ({
  allowed: verdict.allowed,
  ...(verdict.path === null ? {} : { step: verdict.path }),
  ...(verdict.entry === null ? {} : { entry: verdict.entry }),
  why: status === "active" ? whyOf(verdict) : `${status}, so it does not run; ${whyOf(verdict)}`,
});

/** Places of an MCP server's word begin so; no list of a document does. */
const GRANTS = "mcp-servers.";

function whyOf({ allowed, path, entry }: Verdict): string {
  if (path === null) return "allowed: no list of the policy takes it";
  if (path.startsWith(GRANTS)) return `not allowed: ${path} don't give it`;
  if (entry === null) return `not allowed: ${path} doesn't name it`;
  return allowed ? `allowed: "${entry}" in ${path} brings it back` : `not allowed: "${entry}" in ${path}`;
}

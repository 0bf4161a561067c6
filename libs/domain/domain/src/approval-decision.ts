import type { ApprovalDecision, ApprovalRule, ApprovalSettings, StandingApproval } from "./approval.ts";
import { matchArguments } from "./argument-pattern.ts";
import type { JsonObject } from "./json.ts";
import type { Tool } from "./tool.ts";

type Called = Pick<Tool, "id" | "name" | "approval" | "requiresApproval" | "createdBy">;

/**
 * What an agent's call of a tool needs, by the first of these that says something: the tenant blocks the tool (or these
 * arguments of it); the tool's own `approval`, or its `requiresApproval`, which means `ask`; the tenant's rules for such
 * arguments; the tenant's setting for the tool; the tenant's default. A model's tool is never approved by its own word.
 * Calls of people are not asked about.
 */
export function decideApproval(settings: ApprovalSettings, tool: Called, args: JsonObject): ApprovalDecision {
  const listed = [settingOf(settings, tool.id), settingOf(settings, tool.name)];
  const rules = settings.rules.filter((rule) => rule.tool === tool.id || rule.tool === tool.name);
  const matching = rules.filter((rule) => holds(rule, args)).map(({ decision }) => decision);
  if (listed.includes("blocked") || matching.includes("blocked")) return "blocked";
  return ownDecision(tool) ?? matching[0] ?? listed[0] ?? listed[1] ?? settings.default;
}

/**
 * `decideApproval` for what a tool calls on behalf of an agent. Whoever let the first call run let it call others, so what
 * nothing says of the called tool itself is not asked about.
 */
export const decideNestedApproval = (settings: ApprovalSettings, tool: Called, args: JsonObject) =>
  decideApproval(
    { ...settings, default: settings.default === "ask" ? "preApproved" : settings.default },
    tool,
    args,
  );

/** Null where the tool leaves it to its tenant. */
function ownDecision({ approval, requiresApproval, createdBy }: Called): ApprovalDecision | null {
  if (createdBy === "llm") return approval === "blocked" ? "blocked" : "ask";
  return approval ?? (requiresApproval ? "ask" : null);
}

const settingOf = ({ tools }: ApprovalSettings, ref: string): ApprovalDecision | undefined =>
  Object.hasOwn(tools, ref) ? tools[ref] : undefined;

/** Arguments too long to be looked at count as what is stricter: a rule that approves does not hold for them, others do. */
function holds(rule: ApprovalRule, args: JsonObject): boolean {
  const matched = matchArguments(rule, args);
  return matched === "match" || (matched === "too_long" && rule.decision !== "preApproved");
}

/** Whether one of the standing approvals of the tool's version is for a call with these arguments. */
export const isStandingApproved = (
  standing: readonly Pick<StandingApproval, "pattern">[],
  args: JsonObject,
): boolean => standing.some(({ pattern }) => pattern === null || matchArguments(pattern, args) === "match");

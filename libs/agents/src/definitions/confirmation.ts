import { mayAsk, type ApprovalSettings, type TenantPrincipal, type Tool } from "@bulkhead/core";
import { hash } from "node:crypto";

/** Whose settings decide on a call: an agent's tenant's; null for people, who are not asked about their own calls. */
export type Policy = ApprovalSettings | null;

export const policyOf = ({ role, approval }: TenantPrincipal): Policy => (role === "agent" ? approval : null);

type Called = Pick<Tool, "id" | "name" | "approval" | "requiresApproval" | "createdBy">;

/**
 * What is told as `requiresConfirmation`: to an agent whether a person has to allow its calls, or may have to, which only
 * the arguments decide; to people whether the tool by itself asks for that.
 */
export const needsConfirmation = (policy: Policy, tool: Called): boolean =>
  policy === null ? asksItself(tool) : mayAsk(policy, tool);

const asksItself = ({ approval, requiresApproval, createdBy }: Called): boolean =>
  approval === "ask" || (requiresApproval && (approval === null || createdBy === "llm"));

const MARKS = new WeakMap<ApprovalSettings, string>();

/** Of two policies that say the same of every tool the same; settings are never changed in place. */
export function policyMark(policy: Policy): string {
  if (policy === null) return "";
  const known = MARKS.get(policy);
  if (known !== undefined) return known;
  const { default: byDefault, tools, rules } = policy;
  const mark = hash("sha256", JSON.stringify([byDefault, tools, rules]));
  MARKS.set(policy, mark);
  return mark;
}

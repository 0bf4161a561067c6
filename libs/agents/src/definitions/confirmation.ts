import { mayAsk, type ApprovalSettings, type TenantPrincipal } from "@bulkhead/core";
import { hash } from "node:crypto";

/**
 * The settings that decide on a call: those of an agent's tenant; null for people, whose own calls need no confirmation.
 */
export type Policy = ApprovalSettings | null;

export const policyOf = ({ role, approval }: TenantPrincipal): Policy => (role === "agent" ? approval : null);

type Called = Parameters<typeof mayAsk>[1];

/**
 * The value of `requiresConfirmation`. For an agent: whether a person has to allow its calls, or may have to, since only
 * the arguments decide. For people: whether the tool itself asks for it, or may.
 */
export const needsConfirmation = (policy: Policy, tool: Called): boolean =>
  policy === null ? asksItself(tool) : mayAsk(policy, tool);

const asksItself = ({ approval, requiresApproval, approvalCode, createdBy }: Called): boolean =>
  approval === "ask" ||
  ((requiresApproval || approvalCode !== undefined) && (approval === null || createdBy === "llm"));

const MARKS = new WeakMap<ApprovalSettings, string>();

/** Equal for two policies that decide the same for every tool; settings are never changed in place. */
export function policyMark(policy: Policy): string {
  if (policy === null) return "";
  const known = MARKS.get(policy);
  if (known !== undefined) return known;
  const { default: byDefault, tools, rules } = policy;
  const mark = hash("sha256", JSON.stringify([byDefault, tools, rules]));
  MARKS.set(policy, mark);
  return mark;
}

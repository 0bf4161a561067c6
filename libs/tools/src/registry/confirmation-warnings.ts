import type { ApprovalDecision, Creator } from "@bulkhead/core";

/** The requested approval of a tool's calls; undefined if none was requested. */
interface Asked {
  approval?: ApprovalDecision | null | undefined;
  requiresApproval?: boolean | undefined;
}

/** Warns if calls of a model's tool are meant to run by the tool's own setting, which does not count. */
export function confirmationWarnings(
  { name, createdBy }: { name: string; createdBy: Creator },
  { approval, requiresApproval }: Asked,
): string[] {
  if (createdBy !== "llm") return [];
  const idle = [
    ...(approval === "preApproved" ? ['`approval: "preApproved"`'] : []),
    ...(requiresApproval === false ? ["`requiresApproval: false`"] : []),
  ];
  if (idle.length === 0) return [];
  const has = idle.length > 1 ? "have" : "has";
  return [
    `${idle.join(" and ")} ${has} no effect: a model made the tool ${name}, so a person is asked about agents' calls of it. To let them run, answer one that waits with POST /api/v1/approvals/:id/allow-always, which holds until the tool's next version; or create the tool yourself, with \`createdBy: "user"\`.`,
  ];
}

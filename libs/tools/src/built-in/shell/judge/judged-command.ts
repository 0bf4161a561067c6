import type { ApprovalDecision } from "@bulkhead/core";

/** Why a command is not run, in a sentence for its caller; `busy` where nobody could read it in time. */
export interface RefusedCommand {
  verdict: "refuse";
  because: "unreadable" | "denied" | "blocked" | "busy";
  message: string;
}

/** A command that may run, and what the tenant's rules say of it where agents ask. */
export interface RunnableCommand {
  verdict: "run";
  /** The strictest word of those that were said; null: none. */
  said: Exclude<ApprovalDecision, "blocked"> | null;
  /** Whether every command of the line was spoken of. */
  isWhole: boolean;
}

export type JudgedCommand = RefusedCommand | RunnableCommand;

const STRICTEST = ["blocked", "ask", "preApproved"] as const satisfies readonly ApprovalDecision[];

export const strictest = (decisions: readonly ApprovalDecision[]): ApprovalDecision | null =>
  STRICTEST.find((one) => decisions.includes(one)) ?? null;

/** What an agent's command needs where the tenant's other settings say `otherwise` of what no rule names. */
export const decideCommand = (
  { said, isWhole }: RunnableCommand,
  otherwise: ApprovalDecision,
): ApprovalDecision => {
  if (otherwise === "blocked") return otherwise;
  const words = [...(said === null ? [] : [said]), ...(isWhole ? [] : [otherwise])];
  return strictest(words) ?? otherwise;
};

export const refuse = (because: RefusedCommand["because"], message: string): RefusedCommand => ({
  verdict: "refuse",
  because,
  message,
});

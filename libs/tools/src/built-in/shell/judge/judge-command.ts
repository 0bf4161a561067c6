import type { ApprovalDecision, CommandRule } from "@bulkhead/core";
import { readRules, strictest } from "./command-rules.ts";
import { findDenied } from "./denied-commands.ts";
import { readCommandLine, UnreadableCommand } from "./read-command-line.ts";

/** Why a command is not run, in a sentence for its caller. */
interface RefusedCommand {
  verdict: "refuse";
  because: "unreadable" | "denied" | "blocked";
  message: string;
}

/** A command that may run, and what the tenant's rules say of it where agents ask. */
interface RunnableCommand {
  verdict: "run";
  /** The strictest word of those that were said; null: none. */
  said: Exclude<ApprovalDecision, "blocked"> | null;
  /** Whether every command of the line was spoken of. */
  isWhole: boolean;
}

type JudgedCommand = RefusedCommand | RunnableCommand;

/**
 * Whether a command line may be run at all: it must be read by the shell's own grammar, hold nothing that is denied, and
 * nothing that these rules block. The rules are a tenant's for its agents; people's commands are judged without any.
 */
export async function judgeCommand(
  command: string,
  rules: readonly CommandRule[] = [],
  cwd?: string,
): Promise<JudgedCommand> {
  try {
    const line = await readCommandLine(command);
    const denied = await findDenied(line);
    if (denied !== null) return refuse("denied", `The command is never run here: ${denied}.`);
    const { decision, isWhole } = await readRules(rules, command, cwd, line);
    if (decision === "blocked")
      return refuse(
        "blocked",
        "A rule of the tenant's (approval.commands) blocks a command of this line for agents.",
      );
    return { verdict: "run", said: decision, isWhole };
  } catch (error) {
    if (!(error instanceof UnreadableCommand)) throw error;
    return refuse("unreadable", `The command can't be read: ${error.message}.`);
  }
}

/** What an agent's command needs where the tenant's other settings say `otherwise` of what no rule names. */
export const decideCommand = (
  { said, isWhole }: RunnableCommand,
  otherwise: ApprovalDecision,
): ApprovalDecision => {
  if (otherwise === "blocked") return otherwise;
  const words = [...(said === null ? [] : [said]), ...(isWhole ? [] : [otherwise])];
  return strictest(words) ?? otherwise;
};

const refuse = (because: RefusedCommand["because"], message: string): RefusedCommand => ({
  verdict: "refuse",
  because,
  message,
});

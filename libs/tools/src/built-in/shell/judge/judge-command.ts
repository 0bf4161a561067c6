import type { CommandRule } from "@bulkhead/core";
import { readRules } from "./command-rules.ts";
import { findDenied } from "./denied-commands.ts";
import { refuse, type JudgedCommand } from "./judged-command.ts";
import { linesWithin } from "./lines-within.ts";
import { readCommandLine, UnreadableCommand } from "./read-command-line.ts";

/**
 * Whether a command line may be run at all: it must be read by the shell's own grammar, hold nothing that is denied, and
 * nothing that these rules block. The rules are a tenant's for its agents; people's commands are judged without any.
 */
export function judgeCommand(
  command: string,
  rules: readonly CommandRule[] = [],
  cwd?: string,
): JudgedCommand {
  try {
    const line = readCommandLine(command);
    const lines = linesWithin(line);
    const denied = findDenied(lines);
    if (denied !== null) return refuse("denied", `The command is never run here: ${denied}.`);
    const { decision, isWhole } = readRules(rules, command, cwd, line, lines.slice(1));
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

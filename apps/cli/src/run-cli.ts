import { CommanderError, type Command } from "commander";
import type { Start } from "./cli.ts";
import { CliFault, EXIT, usageFault, type ExitCode } from "./faults/cli-fault.ts";
import { buildProgram } from "./program.ts";
import { harmlessJson } from "@bulkhead/core/harmless";
import { Terminal } from "./terminal/terminal.ts";

const HELP_WORD = "help";

/** Runs one command line to its end, tells a fault on stderr, and gives the exit code. */
export async function runCli(words: readonly string[], start: Start): Promise<ExitCode> {
  const { program } = buildProgram(start);
  // `bulkhead help run` is `bulkhead run --help`.
  const said = words[0] === HELP_WORD ? [...words.slice(1), "--help"] : [...words];
  const terminal = new Terminal({ ...start, json: said.includes("--json"), quiet: false });
  try {
    await program.parseAsync(said, { from: "user" });
    return EXIT.fine;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.fine;
    const fault = error instanceof CommanderError ? misuse(error, program, said) : await faultOf(error);
    tellFault(terminal, fault);
    return fault.parts.exit;
  }
}

async function faultOf(error: unknown): Promise<CliFault> {
  if (error instanceof CliFault) return error;
  const { describeFault } = await import("./faults/describe-fault.ts");
  return describeFault(error);
}

/** Commander's own words, and where to read what the command takes. */
function misuse({ code, message }: CommanderError, program: Command, words: readonly string[]): CliFault {
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  const command = program.commands.find((one) => one.name() === first);
  const next = `See: bulkhead ${command === undefined ? "" : `${command.name()} `}--help`;
  if (code === "commander.help") return usageFault("No command is said.", next);
  // A group without a subcommand lists; a word that is no subcommand is not meant for that list.
  if (code === "commander.excessArguments" && command !== undefined && command.commands.length > 0)
    return usageFault(`There is no command "${command.name()} ${second ?? ""}".`, next);
  const [what = "", meant = ""] = message.replace(/^error: /, "").split("\n");
  return usageFault(
    `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, "")}. ${meant}`.trim(),
    next,
  );
}

/** What happened and what to do; one object of JSON for scripts. */
function tellFault(terminal: Terminal, { message, parts }: CliFault): void {
  const { code, errors = [], requestId, exit } = parts;
  const next = parts.next === undefined ? undefined : terminal.asCalled(parts.next);
  if (terminal.json) {
    terminal.warn(harmlessJson({ error: { code, message, next, errors, requestId, exitCode: exit } }, 0));
    return;
  }
  terminal.warn(`✗ ${message}`, "red");
  for (const { path, message: why } of errors) terminal.warn(`  ${path === "" ? "" : `${path}: `}${why}`);
  if (next !== undefined) terminal.warn(`→ ${next}`);
  if (requestId !== undefined) terminal.warn(`  request ${requestId}`, "dim");
}

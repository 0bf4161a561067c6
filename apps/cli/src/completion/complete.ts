import type { Argument, Command, Option } from "commander";
import type { Cli } from "../cli.ts";

/** The hidden command that shells ask on each press of Tab. */
export const COMPLETE = "__complete";

const TOOLS_MS_MAX = 1_500;
const TOOLS_MAX = 200;
/** A shell reads candidates as words; whatever else a server may call a tool is left out. */
const WORD = /^[\w.:@/+-]+$/;

/** What may stand in place of the last of the words that were typed behind `bulkhead`; an unfinished word may be empty. */
export async function complete(cli: Cli, program: Command, words: readonly string[]): Promise<string[]> {
  const current = words.at(-1) ?? "";
  const found = await candidates(cli, program, words.slice(0, -1), current);
  return [...new Set(found)].filter((word) => word.startsWith(current) && WORD.test(word));
}

async function candidates(
  cli: Cli,
  program: Command,
  before: readonly string[],
  current: string,
): Promise<readonly string[]> {
  const { command, position, waiting } = walk(program, before);
  if (waiting !== undefined) return valuesOf(cli, waiting);
  if (current.startsWith("-")) {
    const inner = command.commands.find((one) => one.name() === DEFAULT)?.options ?? [];
    const common = command === program ? [] : program.options;
    return [...command.options, ...inner, ...common, ...HELP].flatMap(({ long }) => long ?? []);
  }
  const names =
    position > 0 ? [] : command.commands.map((one) => one.name()).filter((name) => !name.startsWith("_"));
  // What a command does without a subcommand, as `list`, takes arguments too.
  const argument =
    command.registeredArguments[position] ?? command.registeredArguments.findLast((one) => one.variadic);
  return [...names, ...(argument === undefined ? [] : await valuesOf(cli, argument))];
}

/** What a group of commands does without a further word. */
const DEFAULT = "list";
const HELP: readonly { long: string }[] = [{ long: "--help" }];

interface Walked {
  command: Command;
  /** How many arguments of the command were typed. */
  position: number;
  /** An option whose value comes next. */
  waiting: Option | undefined;
}

function walk(program: Command, words: readonly string[]): Walked {
  let walked: Walked = { command: program, position: 0, waiting: undefined };
  for (const word of words) {
    const { command, position, waiting } = walked;
    if (waiting !== undefined) walked = { command, position, waiting: undefined };
    else if (word.startsWith("-")) {
      const option = [...command.options, ...program.options].find(({ short, long }) =>
        [short, long].includes(word),
      );
      walked = { command, position, waiting: option?.required ? option : undefined };
    } else {
      const inner =
        position > 0
          ? undefined
          : command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
      walked =
        inner === undefined
          ? { ...walked, position: position + 1 }
          : { command: inner, position: 0, waiting };
    }
  }
  return walked;
}

async function valuesOf(cli: Cli, one: Option | Argument): Promise<readonly string[]> {
  if (one.argChoices !== undefined) return one.argChoices;
  const name = one.name();
  if (name === "profile") return Object.keys((await cli.config()).profiles);
  return name === "tool" || name === "tools" ? toolNames(cli) : [];
}

/** A shell waits for this: a server that does not answer soon gives no names. */
async function toolNames(cli: Cli): Promise<string[]> {
  try {
    const client = await cli.client();
    const options = { requestTimeoutMs: TOOLS_MS_MAX, retries: 0 };
    return (await client.tools.list({ limit: TOOLS_MAX, sort: "usageCount" }, options)).tools.map(
      ({ name }) => name,
    );
  } catch {
    // Nobody can be told of a fault while a word is completed; the command itself will tell it.
    return [];
  }
}

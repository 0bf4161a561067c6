import { guessWord, guessWords, UNKNOWN } from "./guess-words.ts";
import {
  readCommandLine,
  RUNS_COMMAND,
  spend,
  UnreadableCommand,
  type CommandLine,
  type FoundCommand,
} from "./read-command-line.ts";
import { takesNames } from "./runs-computed.ts";
import { baseName, unwrapCommand } from "./unwrap-command.ts";

/** Command lines within a command line: `sh -c "…"`, a text that is piped to a shell. */
const SCRIPTS_MAX = 20;
/** Times that `printf` takes its format anew for what is left of its values. */
const FORMATS_MAX = 64;

const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ash",
  "fish",
  "just-bash",
  "su",
  "script",
]);
export const INTERPRETERS: ReadonlySet<string> = new Set([
  "python",
  "python3",
  "perl",
  "ruby",
  "node",
  "php",
  "lua",
]);

/** A command line that a shell is given by another one, or the one that was asked for. */
export interface LineWithin {
  line: CommandLine;
  /** Whether parts of its text are known only when it runs: they may be commands. */
  isGuessed: boolean;
}

/** A command line and all that it has a shell run. Throws `UnreadableCommand` where one of them can't be read. */
export function linesWithin(line: CommandLine): LineWithin[] {
  const found: LineWithin[] = [{ line, isGuessed: false }];
  for (const { line: around } of found)
    for (const text of scriptsOf(around)) {
      if (found.length > SCRIPTS_MAX)
        throw new UnreadableCommand(`more than ${SCRIPTS_MAX} command lines stand within it`);
      spend(around, text.length);
      const read = readCommandLine(text.replaceAll(UNKNOWN, "x"), around.work);
      found.push({ line: read, isGuessed: text.includes(UNKNOWN) });
    }
  return found;
}

/** Whether a command runs the text of a file that it is given, and of what stands in place of one. */
export const takesScript = (name: string): boolean => SHELLS.has(name) || name === "source" || name === ".";

const STDIN = /^(\/dev\/stdin|\/(dev|proc\/self)\/fd\/0|-)$/;

/** A shell, or another interpreter, that takes its program from what is piped to it. */
export function readsScript(words: readonly string[]): boolean {
  const name = baseName(words[0]);
  const args = words.slice(1);
  if (INTERPRETERS.has(name)) return args.every((word) => word === "-");
  if (!takesScript(name)) return false;
  if (args.some((word) => STDIN.test(word))) return true;
  const isShell = SHELLS.has(name);
  return (
    isShell &&
    (args.some((word) => /^-[a-zA-Z]*s/.test(word)) ||
      args.every((word) => word.startsWith("-") && !/^-\w*c/.test(word)))
  );
}

/** The texts that a line gives to a shell as programs, as far as they stand in it. */
function scriptsOf(line: CommandLine): string[] {
  const direct = line.commands.flatMap((command) => [
    ...unwrapCommand(guessWords(command, line)).flatMap((words) => scriptsOfCommand(words, command, line)),
    ...(setsProgram(command, line) ? [UNKNOWN] : []),
  ]);
  const piped = line.pipes.flatMap((stages) => {
    const last = stages.findLastIndex((stage) =>
      stage.some((command) => unwrapCommand(guessWords(command, line)).some(runsInput)),
    );
    return stages
      .slice(0, Math.max(0, last))
      .flatMap((before) => before.flatMap((one) => printedBy(one, line)));
  });
  return [...new Set([...direct, ...piped].filter((text) => text.trim() !== ""))];
}

/** What other interpreters take is no command line. */
const runsInput = (words: readonly string[]): boolean =>
  takesScript(baseName(words[0])) && readsScript(words);

function scriptsOfCommand(words: readonly string[], command: FoundCommand, line: CommandLine): string[] {
  const name = baseName(words[0]);
  const args = words.slice(1);
  if (name === "eval") return [args.slice(args[0] === "--" ? 1 : 0).join(" ")];
  if (name === "trap") return args.filter((word) => word !== "--").slice(0, 1);
  if (name === "alias") return args.map((word) => word.slice(word.indexOf("=") + 1));
  if (name === "mapfile" || name === "readarray") return args.slice(args.indexOf("-C")).slice(1, 2);
  if (takesNames(words) && args.some((word) => RUNS_COMMAND.test(word))) return [UNKNOWN];
  if (name === "flock" || name === "runuser") return scriptOfOption(args);
  if (!takesScript(name)) return [];
  const given = name === "source" || name === "." ? [] : scriptOfOption(args);
  const isFedByHandle = command.node.redirections.some(({ operator }) => operator === "<&");
  return [
    ...given,
    ...(isFedByHandle || args[0]?.startsWith("/dev/fd/") ? [UNKNOWN] : []),
    ...heredocsOf(command, line),
    ...command.inner.flatMap((one) => printedBy(one, line)),
  ];
}

/** Whether a value is set that holds a substitution as text: arithmetic, `${x@P}` and `PS4` run what stands in values. */
function setsProgram({ node }: FoundCommand, line: CommandLine): boolean {
  const values = node.assignments.flatMap(({ value }) => (value ? guessWord(value, line) : []));
  return values.some((value) => RUNS_COMMAND.test(value));
}

/** `bash -o posix -ec 'ls'`: the first word behind `-c` that is neither an option nor the value of one. */
function scriptOfOption(args: readonly string[]): string[] {
  let at = args.findIndex((word) => /^-[a-zA-Z]*c/.test(word));
  if (at < 0) return [];
  for (at += 1; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (!/^[-+]/.test(word)) return [word];
    if (/^[-+][a-zA-Z]*[oO]$/.test(word)) at += 1;
  }
  return [];
}

function heredocsOf({ node }: FoundCommand, line: CommandLine): string[] {
  return node.redirections.flatMap(({ operator, target }) => {
    if (target.type === "HereDoc") return [guessWord(target.content, line).join(" ")];
    return operator === "<<<" ? [guessWord(target, line).join(" ")] : [];
  });
}

/** What a command gives to the next: known of a few, the text of a file is nobody's to tell, all else is computed. */
function printedBy(command: FoundCommand, line: CommandLine): string[] {
  const words = guessWords(command, line);
  switch (baseName(words[0])) {
    case "cat":
    case "tee":
      return heredocsOf(command, line);
    case "echo":
      return [
        unescaped(
          words
            .slice(1)
            .filter((word) => !/^-[neE]+$/.test(word))
            .join(" "),
        ),
      ];
    case "printf":
      return [unescaped(formatted(words.slice(1).filter((word) => word !== "--")))];
    default:
      return [UNKNOWN];
  }
}

/** Of escapes a line's end alone is known. */
function unescaped(text: string): string {
  const lines = text.replaceAll("\\n", "\n");
  return lines.includes("\\") ? lines + UNKNOWN : lines;
}

function formatted([format = "", ...values]: readonly string[]): string {
  const left = [...values];
  let text = "";
  for (let times = 0; times < FORMATS_MAX; times += 1) {
    const before = left.length;
    text += format.replaceAll(/%[-+ #0-9.*]*[a-zA-Z]/g, () => left.shift() ?? "");
    if (left.length === 0) return text;
    if (left.length === before) break;
  }
  return text + UNKNOWN;
}

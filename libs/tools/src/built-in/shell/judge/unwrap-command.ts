import { UNKNOWN } from "./guess-words.ts";
import { UnreadableCommand } from "./read-command-line.ts";

/**
 * Commands that run the command in their arguments: the short options of each that take a value of their own. The first three
 * are words of the shell's grammar, which this parser takes for a command behind `time`.
 */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["!", ""],
  ["--", ""],
  ["coproc", ""],
  ["command", ""],
  ["builtin", ""],
  ["exec", "a"],
  ["hash", ""],
  ["env", "uC"],
  ["sudo", "ughpCDRTtr"],
  ["doas", "uC"],
  ["runuser", "ugG"],
  ["setpriv", ""],
  ["fakeroot", "lsifb"],
  ["nohup", ""],
  ["setsid", ""],
  ["unshare", "SGRw"],
  ["nsenter", "tSG"],
  ["nice", "n"],
  ["ionice", "cnp"],
  ["chrt", "TPD"],
  ["taskset", ""],
  ["prlimit", ""],
  ["time", "fo"],
  ["timeout", "ks"],
  ["flock", "wE"],
  ["stdbuf", "ioe"],
  ["strace", "abeEIoOpPsSuUX"],
  ["xargs", "adEIiLlnPs"],
  ["parallel", "jPNIaS"],
  ["busybox", ""],
  ["toybox", ""],
  ["chroot", ""],
  ["watch", "n"],
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "source", "."].map((shell) => [shell, "oO"] as const),
]);
/** Those that take arguments of their own before the command. */
const OWN_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ["timeout", 1],
  ["chroot", 1],
  ["flock", 1],
  ["chrt", 1],
  ["taskset", 1],
]);
/** Those that put what they read behind the command's words. */
const FED: ReadonlySet<string> = new Set(["xargs", "parallel"]);
/** Commands that one may be taken for. */
const UNWRAPPED_MAX = 40;

/** The name of a command without its folder. */
export const baseName = (word: string | undefined): string => (word ?? "").split("/").at(-1) ?? "";

/**
 * The command itself, and those that it runs by its arguments: `sudo env A=1 rm x` runs `env A=1 rm x` and `rm x`. A word that
 * one of them puts in when it runs is `UNKNOWN`. Throws `UnreadableCommand` where there are too many.
 */
export function unwrapCommand(words: readonly string[]): string[][] {
  const found: string[][] = words.length === 0 ? [] : [[...words]];
  for (const command of found) {
    const name = baseName(command[0]);
    if (name === "find") found.push(...executedByFind(command));
    else if (WRAPPERS.has(name)) found.push(...wrappedBy(name, command.slice(1)));
    if (found.length > UNWRAPPED_MAX)
      throw new UnreadableCommand(`more than ${UNWRAPPED_MAX} commands stand in the words of one`);
  }
  return found.filter(({ length }) => length > 0);
}

function wrappedBy(name: string, args: string[]): string[][] {
  const own = OWN_ARGUMENTS.get(name) ?? 0;
  const commands = withoutOptions(args, WRAPPERS.get(name) ?? "").map((command) => command.slice(own));
  if (name === "env") commands.push(...splitByEnv(args));
  return FED.has(name) ? commands.map((command) => [...command, UNKNOWN]) : commands;
}

/** What is behind the options; of a long one nobody knows here whether the next word is its value. */
function withoutOptions(words: string[], valued: string): string[][] {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return [words.slice(at + 1)];
    if (/^[A-Za-z_]\w*(\[.*\])?\+?=/s.test(word)) continue;
    if (!word.startsWith("-")) return [words.slice(at)];
    if (/^-\w$/.test(word) && valued.includes(word.slice(1))) at += 1;
    if (/^--[^=]+$/.test(word) && !(words[at + 1] ?? "-").startsWith("-"))
      return [words.slice(at + 1), ...withoutOptions(words.slice(at + 2), valued)];
  }
  return [];
}

/** `env -S "rm -rf x"` makes words of one. */
function splitByEnv(args: readonly string[]): string[][] {
  return args.flatMap((word, at) => {
    const [, attached] = /^(?:-[a-zA-Z]*S|--split-string=?)(.*)$/s.exec(word) ?? [];
    if (attached === undefined) return [];
    const text = attached === "" ? (args[at + 1] ?? "") : attached;
    const rest = args.slice(attached === "" ? at + 2 : at + 1);
    return withoutOptions([...text.trim().split(/\s+/), ...rest], WRAPPERS.get("env") ?? "");
  });
}

const EXECUTING: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function executedByFind(words: readonly string[]): string[][] {
  const starts = words.flatMap((word, at) => (EXECUTING.has(word) ? [at + 1] : []));
  return starts.map((start) => {
    const end = words.findIndex((word, at) => at >= start && (word === ";" || word === "+"));
    const command = words.slice(start, end < 0 ? undefined : end);
    return command.map((word) => word.replaceAll("{}", UNKNOWN));
  });
}

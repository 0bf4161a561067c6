/**
 * Commands that run the command in their arguments: the short options of each that take a value of their own. The first two
 * are words of the shell's grammar, which this parser takes for a command behind a second `time`.
 */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["!", ""],
  ["coproc", ""],
  ["command", ""],
  ["builtin", ""],
  ["exec", "a"],
  ["env", "uCS"],
  ["sudo", "ughpCDRTtr"],
  ["doas", "uC"],
  ["nohup", ""],
  ["setsid", ""],
  ["nice", "n"],
  ["ionice", "cnp"],
  ["time", "fo"],
  ["timeout", "ks"],
  ["stdbuf", "ioe"],
  ["xargs", "adEIiLlnPs"],
  ["busybox", ""],
  ["toybox", ""],
  ["chroot", ""],
  ["watch", "n"],
]);
/** Those that take arguments of their own before the command. */
const OWN_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ["timeout", 1],
  ["chroot", 1],
]);
/** Commands that one may be taken for. */
const UNWRAPPED_MAX = 20;

/** The name of a command without its folder. */
export const baseName = (word: string | undefined): string => (word ?? "").split("/").at(-1) ?? "";

/** The command itself, and those that it runs by its arguments: `sudo env A=1 rm x` runs `env A=1 rm x` and `rm x`. */
export function unwrapCommand(words: readonly string[]): string[][] {
  const found: string[][] = words.length === 0 ? [] : [[...words]];
  for (const command of found) {
    const name = baseName(command[0]);
    const valued = WRAPPERS.get(name);
    if (name === "find") found.push(...executedByFind(command));
    else if (valued !== undefined)
      found.push(withoutOptions(command.slice(1), valued, OWN_ARGUMENTS.get(name) ?? 0));
    if (found.length >= UNWRAPPED_MAX) return found.slice(0, UNWRAPPED_MAX);
  }
  return found.filter(({ length }) => length > 0);
}

function withoutOptions(words: string[], valued: string, own: number): string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (/^[A-Za-z_]\w*=/.test(word)) continue;
    if (!word.startsWith("-")) break;
    if (/^-\w$/.test(word) && valued.includes(word.slice(1))) at += 1;
  }
  return words.slice(at + own);
}

const EXECUTING: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function executedByFind(words: readonly string[]): string[][] {
  const starts = words.flatMap((word, at) => (EXECUTING.has(word) ? [at + 1] : []));
  return starts.slice(0, UNWRAPPED_MAX).map((start) => {
    const end = words.findIndex((word, at) => at >= start && (word === ";" || word === "+"));
    return words.slice(start, end < 0 ? undefined : end);
  });
}

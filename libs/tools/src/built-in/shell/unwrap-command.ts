/** Commands that run the command in their arguments: the short options of each that take a value of their own. */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
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
const ROUNDS_MAX = 10;

/** The name of a command without its folder. */
export const baseName = (word: string | undefined): string => (word ?? "").split("/").at(-1) ?? "";

/** The command itself, and those that it runs by its arguments: `sudo env A=1 rm x` runs `env A=1 rm x` and `rm x`. */
export function unwrapCommand(words: readonly string[]): string[][] {
  const found: string[][] = [];
  let rest: string[] = [...words];
  for (let round = 0; round < ROUNDS_MAX && rest.length > 0; round += 1) {
    found.push(rest);
    const name = baseName(rest[0]);
    if (name === "find") return [...found, ...executedByFind(rest).flatMap(unwrapCommand)];
    const valued = WRAPPERS.get(name);
    if (valued === undefined) break;
    rest = withoutOptions(rest.slice(1), valued, OWN_ARGUMENTS.get(name) ?? 0);
  }
  return found;
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

const executedByFind = (words: readonly string[]): string[][] =>
  words.flatMap((word, at) => {
    if (!EXECUTING.has(word)) return [];
    const end = words.findIndex((later, place) => place > at && (later === ";" || later === "+"));
    return [words.slice(at + 1, end < 0 ? undefined : end)];
  });

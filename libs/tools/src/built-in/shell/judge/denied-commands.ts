import { guessWord, guessWords } from "./guess-words.ts";
import { INTERPRETERS, readsScript, takesScript, type LineWithin } from "./lines-within.ts";
import type { CommandLine, FoundCommand } from "./read-command-line.ts";
import { baseName, unwrapCommand } from "./unwrap-command.ts";

const DOWNLOADS: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "fetch",
  "aria2c",
  "http",
  "lynx",
  "ftp",
  "scp",
]);
const NETCATS: ReadonlySet<string> = new Set(["nc", "ncat", "netcat", "telnet", "socat"]);
/** They write to whatever they are given, devices too. */
const WRITERS: ReadonlySet<string> = new Set([
  "tee",
  "cp",
  "mv",
  "shred",
  "wipefs",
  "blkdiscard",
  "fdisk",
  "parted",
]);

const BLOCK_DEVICE = /^\/+dev\/+(sd|hd|vd|xvd|nvme|mmcblk|dm-|md|loop|disk\/|mapper\/)/;
const SOCKET = /^\/+dev\/+(tcp|udp)\//;

/**
 * What is never run, as a courtesy to whoever would be sorry: the sandbox is the wall, and a spelling that is not known here
 * meets it. Answers what a line, with those within it, would do, or null.
 */
export function findDenied(lines: readonly LineWithin[]): string | null {
  for (const { line } of lines) {
    const denied = whyDenied(line);
    if (denied !== null) return denied;
  }
  return null;
}

function whyDenied(line: CommandLine): string | null {
  if (line.bombs.length > 0) return "a fork bomb";
  const targets = [...line.targets, ...line.commands.flatMap(({ node }) => targetsOf(node))];
  for (const target of targets.flatMap((word) => guessWord(word, line))) {
    if (BLOCK_DEVICE.test(target)) return "writing over a disk";
    if (SOCKET.test(target)) return "a shell's connection to the network (/dev/tcp)";
  }
  for (const command of line.commands) {
    const inner = command.inner.flatMap((one) => unwrapCommand(guessWords(one, line)));
    for (const words of unwrapCommand(guessWords(command, line))) {
      const denied = whyCommandDenied(words) ?? whyFed(words, command, inner);
      if (denied !== null) return denied;
    }
  }
  for (const stages of line.pipes) {
    const denied = whyPipeDenied(
      stages.map((stage) => stage.flatMap((command) => unwrapCommand(guessWords(command, line)))),
    );
    if (denied !== null) return denied;
  }
  return null;
}

function targetsOf({ redirections }: FoundCommand["node"]) {
  return redirections.flatMap(({ target }) => (target.type === "Word" ? [target] : []));
}

function whyCommandDenied(words: readonly string[]): string | null {
  const name = baseName(words[0]);
  const args = words.slice(1);
  if (name === "rm" && removesByForce(args)) return "removing folders by force (rm -rf)";
  if (name === "del" && args.some((word) => /^\/f$/i.test(word))) return "removing by force (del /f)";
  if (/^(rmdir|rd)$/.test(name) && args.some((word) => /^\/s$/i.test(word)))
    return "removing folders by force (rmdir /s)";
  if (/^mkfs(\.|$)/.test(name)) return "making a file system (mkfs)";
  if (name === "dd" && args.some((word) => word.startsWith("if=") || /^of=\/+dev\//.test(word)))
    return "copying devices (dd)";
  if (WRITERS.has(name) && args.some((word) => BLOCK_DEVICE.test(word))) return "writing over a disk";
  if (/^(shutdown|reboot|poweroff|halt)$/.test(name)) return `stopping the machine (${name})`;
  if (/^(init|telinit)$/.test(name) && /^[06]$/.test(args[0] ?? "")) return `stopping the machine (${name})`;
  if (name === "systemctl" && args.some((word) => /^(reboot|poweroff|halt|kexec)$/.test(word)))
    return "stopping the machine (systemctl)";
  if (NETCATS.has(name) && handsShell(name, args)) return `a shell for somebody outside (${name})`;
  return null;
}

/** `-rf` in one or several words, long or short, the long ones cut as far as `rm` takes it. */
function removesByForce(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = (end < 0 ? args : args.slice(0, end)).filter((word) => word.startsWith("-"));
  const has = (short: RegExp, long: string): boolean =>
    options.some((word) =>
      word.startsWith("--") ? word.length > 2 && long.startsWith(word) : short.test(word),
    );
  return has(/[rR]/, "--recursive") && has(/f/, "--force");
}

function handsShell(name: string, args: readonly string[]): boolean {
  if (name === "socat") return args.some((word) => /^(exec|system):/i.test(word));
  return args.some((word) => /^-[a-zA-Z]*[ec]$/.test(word) || /^--(sh-|lua-)?exec/.test(word));
}

/** What is handed to a shell, or to `eval`, by a substitution. */
function whyFed(
  words: readonly string[],
  { node, inner }: FoundCommand,
  innerWords: readonly string[][],
): string | null {
  const name = baseName(words[0]);
  if (name === "eval" && inner.length > 0) return "evaluating what another command prints (eval)";
  if (!takesScript(name) && !(INTERPRETERS.has(name) && isFedByStdin(node))) return null;
  return innerWords.some(isUntrustedSource) ? RUNS_DOWNLOAD : null;
}

const isFedByStdin = ({ redirections }: FoundCommand["node"]): boolean =>
  redirections.some(({ operator }) => operator === "<" || operator === "<<<" || operator === "<<");

const RUNS_DOWNLOAD = "running what was just downloaded or decoded";

function whyPipeDenied(stages: readonly string[][][]): string | null {
  const last = stages.findLastIndex((stage) => stage.some(readsScript));
  if (last === -1) return null;
  if (stages.slice(0, last).some((before) => before.some(isUntrustedSource))) return RUNS_DOWNLOAD;
  const isOutside = stages.some((other) => other.some(([name]) => NETCATS.has(baseName(name))));
  return isOutside ? "a shell for somebody outside" : null;
}

function isUntrustedSource(words: readonly string[]): boolean {
  const name = baseName(words[0]);
  if (DOWNLOADS.has(name) || NETCATS.has(name)) return true;
  const decodes = words
    .slice(1)
    .some((word) => /^-[a-zA-Z]*[dDr]/.test(word) || (word.length > 3 && "--decode".startsWith(word)));
  return /^(base64|base32|basenc|xxd|uudecode|openssl)$/.test(name) && (decodes || name === "uudecode");
}

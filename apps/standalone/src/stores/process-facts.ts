import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { systemCode } from "./system-code.ts";

/** The system's facts about a living process. */
export interface ProcessFacts {
  parentPid: number;
  /** The command and its arguments, separated by spaces. */
  command: string;
}

/** Null when there is no such process (a zombie counts as none). Reads /proc where there is one, else asks `ps`. */
export async function readProcess(pid: number): Promise<ProcessFacts | null> {
  return process.platform === "linux" ? readProc(pid) : askPs(pid);
}

async function readProc(pid: number): Promise<ProcessFacts | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may itself hold spaces and parentheses; the fields after it don't.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return null;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    return { parentPid: Number(parent), command: command.replaceAll("\0", " ").trim() };
  } catch (cause) {
    const code = systemCode(cause);
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw cause;
  }
}

const PS_MS_MAX = 5_000;

async function askPs(pid: number): Promise<ProcessFacts | null> {
  const printed = await promisify(execFile)("ps", ["-ww", "-o", "ppid=,state=,command=", "-p", String(pid)], {
    timeout: PS_MS_MAX,
  }).then(
    ({ stdout }) => stdout.trim(),
    // ps exits 1 when the process is not there.
    () => "",
  );
  const match = /^(\d+)\s+(\S+)\s+(.*)$/su.exec(printed);
  if (match === null || match[2]?.startsWith("Z")) return null;
  return { parentPid: Number(match[1]), command: match[3] ?? "" };
}

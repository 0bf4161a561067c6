import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The world as a program behind the same links as the sandbox sees it. */
export interface Testimony {
  /** The names of its variables. */
  variables: string[];
  /** The targets of /proc/self/ns/<kind>. */
  namespaces: Record<string, string>;
  /** Whether it was refused a file that everyone may read and that is no part of its program. */
  refusedForeignFile: boolean;
}

const SCRIPT = `const { readFileSync, readlinkSync } = require("node:fs");
const namespaces = {};
for (const kind of ["net", "ipc", "uts"]) namespaces[kind] = readlinkSync("/proc/self/ns/" + kind);
let refusedForeignFile = false;
try { readFileSync("/etc/passwd") } catch (error) { refusedForeignFile = error.code === "EACCES" }
console.log(JSON.stringify({ variables: Object.keys(process.env), namespaces, refusedForeignFile }));`;
const TIMEOUT_MS = 10_000;

/**
 * Sends a node without its permission model through these links and has it tell. Needed for what /proc does not show:
 * Landlock never, and a process of another user hides more of itself from a root without CAP_SYS_PTRACE. Null where it
 * tells nothing.
 */
export async function callWitness(links: readonly string[]): Promise<Testimony | null> {
  const [file, ...args] = [...links, process.execPath, "-e", SCRIPT];
  const child = spawn(file, args, {
    env: {},
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const [told] = await Promise.all([text(child.stdout), once(child, "close")]);
  try {
    return JSON.parse(told) as Testimony;
  } catch {
    return null;
  }
}

import { spawn } from "node:child_process";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PROCESS_HEAP_MIB_MAX } from "./bounds.ts";

const PROGRAM = fileURLToPath(new URL("./page-program.ts", import.meta.url));
const SOURCES = `${sep}src${sep}`;
const NODE_MODULES = `${sep}node_modules${sep}`;

/** The folders of code that the program loads: this package, that of the wire, and those that packages are installed in. */
function readable(): string[] {
  const wire = fileURLToPath(import.meta.resolve("@bulkhead/sandbox/wire"));
  const installed = ["html-to-text", "htmlparser2"].map((name) => {
    const path = fileURLToPath(import.meta.resolve(name));
    return path.slice(0, path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length);
  });
  // A symbolic link to the wire is in the folder of the installed ones, too.
  const own = [PROGRAM, wire].map((file) => file.slice(0, file.lastIndexOf(SOURCES) + 1));
  return [...new Set([...own, ...installed])].map((folder) => `${folder}*`);
}

/** Starts the program with nothing of this process's: no environment, no network, no files but its own code. */
export const spawnPageProcess = () =>
  spawn(
    process.execPath,
    [
      `--max-old-space-size=${PROCESS_HEAP_MIB_MAX}`,
      "--max-semi-space-size=8",
      "--disable-proto=delete",
      "--disable-warning=ExperimentalWarning",
      "--permission",
      ...readable().map((path) => `--allow-fs-read=${path}`),
      PROGRAM,
    ],
    // No "ipc": its frames have no bound.
    { env: {}, cwd: "/", stdio: ["pipe", "pipe", "ignore"] },
  );

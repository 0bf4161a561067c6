import { spawn } from "node:child_process";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = `${sep}src${sep}`;
const NODE_MODULES = `${sep}node_modules${sep}`;

interface Program {
  /** Its source, in this package. */
  entry: URL;
  /** Where the packages that it loads are installed, as `import.meta.resolve` tells. */
  packages: readonly string[];
  heapMibMax: number;
  /** What its Node is started with beside this; unset: nothing. */
  flags?: readonly string[];
  /** What comes before node: the system's limits, as the worker has them; unset: nothing. */
  links?: readonly string[];
}

/** The folders of code that the program loads: this package, that of the wire, and those that packages are installed in. */
function readable(program: string, packages: readonly string[]): string[] {
  const wire = fileURLToPath(import.meta.resolve("@bulkhead/sandbox/wire"));
  const installed = packages.map((url) => {
    const path = fileURLToPath(url);
    return path.slice(0, path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length);
  });
  // A symbolic link to the wire is in the folder of the installed ones, too.
  const own = [program, wire].map((file) => file.slice(0, file.lastIndexOf(SOURCES) + 1));
  return [...new Set([...own, ...installed])].map((folder) => `${folder}*`);
}

/** Starts the program with nothing of this process's: no environment, no network, no files but its own code. */
export function spawnProgram({ entry, packages, heapMibMax, flags = [], links = [] }: Program) {
  const program = fileURLToPath(entry);
  const node = [
    `--max-old-space-size=${heapMibMax}`,
    "--max-semi-space-size=8",
    "--disable-proto=delete",
    "--disable-warning=ExperimentalWarning",
    "--permission",
    ...flags,
    ...readable(program, packages).map((path) => `--allow-fs-read=${path}`),
    program,
  ];
  const [file = process.execPath, ...args] = [...links, process.execPath, ...node];
  // No "ipc": its frames have no bound.
  return spawn(file, args, { env: {}, cwd: "/", stdio: ["pipe", "pipe", "ignore"] });
}

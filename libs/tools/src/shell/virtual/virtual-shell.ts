import { MEMORY_LOOK_MS, SHELL_HEAP_MIB_MAX, SHELL_MEMORY_MIB_MAX } from "../../built-in/shell/bounds.ts";
import { spawnProgram } from "../../spawn-program.ts";
import type { ShellChild } from "../shell-process.ts";

/** What the system gives the processes of shells. */
export interface ShellGround {
  /** What comes before the program in its command; for a heap of so many MiB. */
  limitLinks: (heapMib: number) => readonly string[];
  /** The memory of a process, in MiB; null where the system doesn't tell. */
  memoryOf: (pid: number) => number | null;
}

/** Starts a process for one command, which is ended when it takes more memory than it may. */
export function startVirtualShell({ limitLinks, memoryOf }: ShellGround): ShellChild {
  const child = spawnProgram({
    entry: new URL("./shell-program.ts", import.meta.url),
    packages: [import.meta.resolve("just-bash")],
    heapMibMax: SHELL_HEAP_MIB_MAX,
    links: limitLinks(SHELL_HEAP_MIB_MAX),
  });
  const ended = Promise.withResolvers<string | null>();
  let crossed = false;
  const look = setInterval(() => {
    if (child.pid === undefined || (memoryOf(child.pid) ?? 0) <= SHELL_MEMORY_MIB_MAX) return;
    crossed = true;
    child.kill("SIGKILL");
  }, MEMORY_LOOK_MS);
  const gone = (): void => {
    clearInterval(look);
    ended.resolve(crossed || child.exitCode === HEAP_EXIT || child.signalCode === "SIGABRT" ? MEMORY : null);
  };
  // Without a pid it has never been, and no exit follows.
  child.on("error", gone);
  child.on("exit", gone);
  return {
    input: child.stdin,
    output: child.stdout,
    kill: () => void child.kill("SIGKILL"),
    ended: ended.promise,
  };
}

const MEMORY = `It needed more than the ${SHELL_MEMORY_MIB_MAX} MiB of memory that it may use.`;
/** How a shell tells of a process that V8 has aborted for its heap. */
const HEAP_EXIT = 134;

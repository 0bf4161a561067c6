import type { McpLauncher } from "@bulkhead/core";
import { readFileSync } from "node:fs";
import { EngineMissingError, type ShellChild } from "../shell-process.ts";

const DRIVER = readFileSync(new URL("./driver.ts", import.meta.url), "utf8");
/** V8's heap of the process that brings the files and looks at them afterwards, in MiB. */
const HEAP_MIB_MAX = 160;
const ARGS = [
  "--input-type=module-typescript",
  `--max-old-space-size=${HEAP_MIB_MAX}`,
  "--no-warnings",
  "--eval",
  DRIVER,
];
/** How the launcher tells of a process that needed more memory than it may use. */
const MEMORY = /^It needed more than/;

/**
 * Starts a process in namespaces of its own, without a network and with a root that has the system's programs and `/tmp`
 * alone. Rejects with an EngineMissingError where this machine can't keep it in.
 */
export async function startPrograms(launcher: McpLauncher, tenantId: string): Promise<ShellChild> {
  try {
    const child = await launcher.launch({ tenantId, command: process.execPath, args: ARGS, env: {} });
    return {
      input: child.input,
      output: child.output,
      kill: () => child.kill(),
      ended: child.ended.then(() => (MEMORY.test(child.lastWords) ? child.lastWords : null)),
    };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineMissingError(`The command can't be run in namespaces: ${why}`, { cause });
  }
}

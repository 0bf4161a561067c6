import { setFlagsFromString } from "node:v8";

/** Errors that say all that an operator needs to put right; of others the kind is told, too. A Fault is told from afar by its name. */
const SAY_ALL = new Set(["SettingsError", "MissingLayersError", "Fault"]);

/**
 * Runs a process: reads its settings, then does its work. An error is told on stderr and makes the exit code 1.
 */
export async function runMain<Config>(
  name: string,
  readConfig: (env: NodeJS.ProcessEnv) => Config,
  main: (config: Config) => Promise<void>,
): Promise<void> {
  try {
    await main(readConfig(process.env));
  } catch (error) {
    const saysAll = error instanceof Error && SAY_ALL.has(error.name);
    process.stderr.write(`${saysAll ? error.message : `${name}: ${String(error)}`}\n`);
    process.exitCode = 1;
  }
}

/**
 * Has V8 make machine code of every function at its first call (its baseline compiler) instead of interpreting it
 * until it is hot. For processes that live long and whose first thousand calls count too; to be called first in `main`.
 */
export function compileAtOnce(): void {
  setFlagsFromString("--always-sparkplug");
}

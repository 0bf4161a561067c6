import { execFile, type ExecFileException } from "node:child_process";
import { join } from "node:path";

export const API_MAIN = "apps/api/src/main.ts";
export const WORKER_MAIN = "apps/worker/src/main.ts";

const PROJECT_FOLDER = join(import.meta.dirname, "../../..");
/** Node compiles the code once for all processes that tests start, which takes half of the processor time of a start. */
export const NODE_COMPILE_CACHE = join(PROJECT_FOLDER, "node_modules/.cache/compiled");

// Vitest loads the global setup once per project, each time as a module of its own; the process is what they share.
const PLACE = Symbol.for("bulkhead.testing.compiled-code");
const shared = globalThis as typeof globalThis & { [PLACE]?: Promise<void> };

/**
 * Loads the code of an API and a worker and keeps it compiled. A process that finds no compiled code writes some 2,600
 * files as it ends, which takes many seconds beside others that do the same: a test would wait for its stop. Once a run.
 */
export const keepCompiledCode = (): Promise<void> => (shared[PLACE] ??= loadOnce());

async function loadOnce(): Promise<void> {
  for (const main of [API_MAIN, WORKER_MAIN]) await load(join(PROJECT_FOLDER, main));
}

/** A main without settings ends as soon as its code is loaded, and says which it lacks. */
function load(main: string): Promise<void> {
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(process.execPath, [main], { env }, (error: ExecFileException | null, _out, stderr) => {
    if (error?.code === 1 && stderr.includes("DATABASE_URL: ")) resolve();
    else reject(error ?? new Error(`${main} needs no settings`));
  });
  return promise;
}

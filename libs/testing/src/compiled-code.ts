import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";

export const API_MAIN = "apps/api/src/main.ts";
export const WORKER_MAIN = "apps/worker/src/main.ts";

const PROJECT_FOLDER = join(import.meta.dirname, "../../..");
const SETTINGS = {
  DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  REDIS_URL: "redis://127.0.0.1:1",
  BULKHEAD_MASTER_KEY: randomBytes(32).toString("base64"),
  BULKHEAD_ADMIN_KEY: `bh_${randomBytes(24).toString("hex")}`,
};

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
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE, ...SETTINGS };
  for (const main of [API_MAIN, WORKER_MAIN]) {
    await promisify(execFile)(process.execPath, [join(PROJECT_FOLDER, main), "--check-settings"], { env });
  }
}

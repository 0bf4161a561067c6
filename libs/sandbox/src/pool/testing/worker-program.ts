/** A worker that starts a run which never ends, and prints its sandboxes' process ids. */
import { openSandboxPool } from "../sandbox-pool.ts";
import { Heard, toolRun } from "./tool-runs.ts";

class Announcing extends Heard {
  readonly #announce: () => void;
  constructor(announce: () => void) {
    super();
    this.#announce = announce;
  }
  override onLog(): void {
    this.#announce();
  }
}

const pool = openSandboxPool({ processesMax: 2, blankTarget: 1 });
const run = toolRun("console.log('here'); for(;;){}", {}, { cpuMs: 60_000, wallMs: 60_000 });
const announce = (): void => {
  // A process that only starts may not have asked yet to end with this one.
  if (pool.stats().starting > 0) return void setTimeout(announce, 10);
  process.stdout.write(`${JSON.stringify(pool.stats().processes.map(({ pid }) => pid))}\n`);
};
await pool.run(run, new Announcing(announce), new AbortController().signal);

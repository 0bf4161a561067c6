/** A worker that prints the layers around its sandboxes, whatever user it runs as. */
import { openSandboxPool } from "../sandbox-pool.ts";

const pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
process.stdout.write(JSON.stringify(await pool.layers()));
await pool.close();

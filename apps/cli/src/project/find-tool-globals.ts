import { toolGlobals } from "@bulkhead/contracts/tool-globals";
import type { Cli } from "../cli.ts";
import { EXIT } from "../faults/cli-fault.ts";
import { describeFault } from "../faults/describe-fault.ts";

/** Nobody waits longer for types than for the rest of the work. */
const ASKED_MS_MAX = 5_000;

interface FoundGlobals {
  /** What the code of tools sees, as TypeScript. */
  text: string;
  /** Why it is not the server's, in a sentence; null where it is. */
  missing: string | null;
}

/** As the server has them; where none is known, or none answers, as they were when this command line was made. */
export async function findToolGlobals(cli: Cli): Promise<FoundGlobals> {
  try {
    const { tools } = await cli.client();
    const text = await tools.globals({}, { requestTimeoutMs: ASKED_MS_MAX, retries: 0 });
    return { text, missing: null };
  } catch (error) {
    const fault = describeFault(error);
    const { exit, code } = fault.parts;
    // A wrong setting, or a mistake of our own, is told instead.
    if (exit === EXIT.usage || code === "cli.failed") throw fault;
    return { text: toolGlobals(), missing: fault.message };
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { readIfThere } from "./private-folder.ts";
import { readProcess } from "./process-facts.ts";
import { signalIfThere } from "./signal-process.ts";
import { StoreError } from "./store-error.ts";

export interface Leftover {
  /** For the message: "PostgreSQL". */
  storeName: string;
  folder: string;
  /** Its first line is the process id. */
  pidFile: string;
  /** Tells the store of this folder from an unrelated process that was given the same number since. */
  isStore: (command: string) => boolean;
  stopSignal: "SIGINT" | "SIGTERM";
  stopMsMax: number;
}

const POLL_MS = 50;

/**
 * Makes sure that no store of an earlier owner still runs on this folder. A store whose guard was killed too is stopped
 * here; a store whose guard lives is being stopped by it, or has a living owner: then it throws a StoreError.
 */
export async function clearLeftover(leftover: Leftover): Promise<void> {
  const pid = Number.parseInt((await readIfThere(leftover.pidFile)) ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const found = await readProcess(pid);
  if (found === null || !leftover.isStore(found.command)) return;
  const parent = await readProcess(found.parentPid);
  const guarded = parent?.command.includes("bulkhead-guard") ?? false;
  if (!guarded) signalIfThere(pid, leftover.stopSignal);
  if (await hasGone(pid, leftover.stopMsMax)) return;
  if (guarded) {
    throw new StoreError(
      `${leftover.storeName} already runs on ${leftover.folder} (process ${pid}) for another Bulkhead. ` +
        "Stop that one, or choose another data folder.",
    );
  }
  signalIfThere(pid, "SIGKILL");
  if (await hasGone(pid, leftover.stopMsMax)) return;
  throw new StoreError(
    `${leftover.storeName} (process ${pid}) of an earlier start does not end; end it by hand.`,
  );
}

async function hasGone(pid: number, msMax: number): Promise<boolean> {
  const deadline = performance.now() + msMax;
  while ((await readProcess(pid)) !== null) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

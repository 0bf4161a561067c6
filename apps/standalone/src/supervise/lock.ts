import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessFacts } from "../stores/process-facts.ts";
import { StartRefusal } from "../start-refusal.ts";

export interface LockDeps {
  pid: number;
  /** Null when no such process lives. */
  readProcess: (pid: number) => Promise<ProcessFacts | null>;
  sleep: (ms: number) => Promise<unknown>;
}

export interface DataDirLock {
  close(): Promise<void>;
}

const TRIES_MAX = 4;
const PAUSE_MS_MAX = 150;
/** The command line of every supervisor contains this, whatever folder it is started from. */
const OWN_COMMAND = "apps/standalone/src/main.ts";
const ANCESTORS_MAX = 32;

/**
 * Makes this process the only one on the data folder, until `close`. Claims of processes that are gone (or whose number
 * belongs to another program by now) are removed; a living one throws a StartRefusal that names it. Each process writes a
 * claim named after itself, then looks for others, and withdraws when there is one. Of two that start at once at least one
 * sees the other, so there are never two holders; a single file that is replaced when it is stale can't promise that.
 */
export async function takeLock(deps: LockDeps, dataDir: string): Promise<DataDirLock> {
  const folder = join(dataDir, "lock");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${deps.pid}-${randomBytes(6).toString("hex")}`;
  const claim = join(folder, name);
  const withdraw = (): Promise<void> => rm(claim, { force: true });
  for (let tries = 1; ; tries += 1) {
    await writeFile(claim, "", { mode: 0o600 });
    const other = await findOther(deps, folder, name);
    if (other === null) return { close: withdraw };
    await withdraw();
    if (tries === TRIES_MAX) throw alreadyRuns(other, dataDir);
    // Several that start at once all withdraw; after pauses of different length one of them is alone.
    await deps.sleep(Math.random() * PAUSE_MS_MAX);
  }
}

const alreadyRuns = (pid: number, dataDir: string): StartRefusal =>
  new StartRefusal(
    `Another Bulkhead (process ${pid}) runs on ${dataDir}. ` +
      "Stop that one, or start this one with another DATA_DIR and PORT.",
  );

/** The number of a living holder or claimant, or null; removes the claims of the dead. */
async function findOther(deps: LockDeps, folder: string, ownName: string): Promise<number | null> {
  for (const name of await readdir(folder)) {
    const pid = Number.parseInt(name, 10);
    if (name === ownName) continue;
    if (await isSupervisor(deps, pid)) return pid;
    await rm(join(folder, name), { force: true });
  }
  return null;
}

async function isSupervisor(deps: LockDeps, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid)) return false;
  const facts = await deps.readProcess(pid);
  if (facts === null || !facts.command.includes(OWN_COMMAND)) return false;
  // Process numbers are few and the same at each start in a container: the number may be ours, or that of the shell
  // that npm started us with.
  return !(await ownLine(deps)).includes(pid);
}

/** This process and its ancestors. */
async function ownLine({ pid, readProcess }: LockDeps): Promise<number[]> {
  const line = [pid];
  for (let at: number | undefined = pid; at !== undefined && at > 1 && line.length < ANCESTORS_MAX;) {
    at = (await readProcess(at))?.parentPid;
    if (at !== undefined) line.push(at);
  }
  return line;
}

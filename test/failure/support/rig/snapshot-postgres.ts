import { readdirSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { basename, join } from "node:path";

/** No file, so it can't be copied, nor would the copy's server want it. */
const isSocket = (path: string): boolean => basename(path).startsWith(".s.PGSQL.");

/**
 * Copies a running PostgreSQL's folder while all its processes stand still: what a snapshot of its file system would hold.
 * It starts on the copy as after a crash. (The embedded server keeps too little log for an online backup, and brings no
 * pg_dump.)
 */
export async function snapshotPostgres(postmaster: number, dataDir: string, copyDir: string): Promise<void> {
  // The postmaster first, so that none is added.
  const stopped: number[] = [];
  const stop = (pid: number): void => void (process.kill(pid, "SIGSTOP"), stopped.push(pid));
  try {
    stop(postmaster);
    for (const pid of childrenOf(postmaster)) stop(pid);
    await cp(dataDir, copyDir, { recursive: true, filter: (path) => !isSocket(path) });
  } finally {
    for (const pid of stopped.toReversed()) process.kill(pid, "SIGCONT");
  }
  // The running server's: the copy must not take it for its own.
  await rm(join(copyDir, "postgres/cluster/postmaster.pid"));
}

const childrenOf = (parent: number): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

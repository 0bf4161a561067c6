import { processStat, type SandboxPool } from "@bulkhead/sandbox";

/**
 * Processor time of this process and of the living sandboxes so far, in milliseconds; null if the system doesn't tell. The
 * time of ended sandboxes is not included.
 */
export function ownCpuMs(pool: Pick<SandboxPool, "stats">): number | null {
  const own = processStat(process.pid);
  if (own === null) return null;
  let sumMs = own.cpuMs;
  for (const { pid } of pool.stats().processes) sumMs += processStat(pid)?.cpuMs ?? 0;
  return sumMs;
}

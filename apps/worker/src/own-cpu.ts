import { processStat, type SandboxPool } from "@bulkhead/sandbox";

/**
 * Processor time of this process and of the sandboxes that live, so far, in milliseconds; null where the system doesn't
 * tell. What ended sandboxes used is not in it.
 */
export function ownCpuMs(pool: Pick<SandboxPool, "stats">): number | null {
  const own = processStat(process.pid);
  if (own === null) return null;
  let sumMs = own.cpuMs;
  for (const { pid } of pool.stats().processes) sumMs += processStat(pid)?.cpuMs ?? 0;
  return sumMs;
}

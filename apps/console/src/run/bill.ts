import type { Execution } from "@bulkhead/client";
import { count, duration } from "../format/numbers.ts";

type Billed = Pick<Execution, "attempts" | "createdAt" | "durationMs" | "startedAt" | "usage">;

/** What a run took, in a few words each: all of it, its wait, its own time, what it used. */
export function billOf(
  { attempts, createdAt, durationMs, startedAt, usage }: Billed,
  locale?: string,
): string[] {
  const waitMs = startedAt === undefined ? null : Date.parse(startedAt) - Date.parse(createdAt);
  const { cpuMs, wallMs, memoryPeakMib, networkRequests, capabilityCalls = 0 } = usage;
  return [
    durationMs !== undefined && `${duration(durationMs, locale)} in all`,
    waitMs !== null && `waited ${duration(Math.max(0, waitMs), locale)}`,
    wallMs > 0 && `ran ${duration(wallMs, locale)}`,
    cpuMs > 0 && `${duration(cpuMs, locale)} of processor`,
    memoryPeakMib > 0 && `${count(Math.ceil(memoryPeakMib), locale)} MiB`,
    networkRequests > 0 &&
      `${count(networkRequests, locale)} ${networkRequests === 1 ? "request" : "requests"}`,
    capabilityCalls > 0 &&
      `${count(capabilityCalls, locale)} ${capabilityCalls === 1 ? "use" : "uses"} of files`,
    attempts > 1 && `${count(attempts, locale)} tries`,
  ].filter((part) => part !== false);
}

import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { cpuClock } from "../cpu-clock.ts";

/** Where it was measured; nothing that names whose it is. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGib: number;
  system: string;
  node: string;
  /** Over the last minute, before anything was started. */
  loadBefore: number;
  /** Share of all processors that others had in use then, 0 to 1. */
  busyBefore: number;
}

const LOOK_MS = 1_000;
const GIB = 1024 ** 3;

/** Looks for a second at what others do. */
export async function describeMachine(): Promise<Machine> {
  const busy = cpuClock();
  await delay(LOOK_MS);
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() || "unknown",
    cores: all.length,
    memoryGib: Math.round((totalmem() / GIB) * 10) / 10,
    system: `${platform()}-${arch()}`,
    node: process.versions.node,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    busyBefore: Math.round(busy() * 100) / 100,
  };
}

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { SandboxLayer } from "@bulkhead/core";
import type { SandboxProgram } from "../pool/program.ts";
import { cgroupMount } from "./cgroup-mount.ts";
import { closedToOthers } from "./closed-folder.ts";
import { findTools } from "./find-tools.ts";
import type { LaunchTools } from "./launch-plan.ts";
import {
  openMemoryGroups,
  type MemoryGroups,
  type NoMemoryGroups,
  type WorkerIdentity,
} from "./memory-groups.ts";
import { ProcessUids, splitUids, uidRange } from "./process-uids.ts";

/** The parts that all launches of one pool are made from, as far as this machine and this worker's rights allow. */
export interface LaunchGround extends LaunchMachine {
  /** Whether node starts from its own snapshot. */
  nodeSnapshot: boolean;
}

/** The tools, users and groups that are found on this machine. */
export interface LaunchMachine {
  program: SandboxProgram;
  tools: LaunchTools;
  /** Whether the worker is root. */
  privileged: boolean;
  /** Null where this worker has no users to give. */
  uids: ProcessUids | null;
  /** Null where no memory group can be made. */
  groups: MemoryGroups | null;
  memoryMib: number;
  processors: number;
  /** Why a layer is out of reach from the outset. */
  missing: Partial<Record<SandboxLayer, string>>;
}

export interface GroundOptions {
  program: SandboxProgram;
  /** Where to look for util-linux and Perl. */
  toolFolders: readonly string[];
  /** A process with all that belongs to it may have so much, in MiB. */
  memoryLineMib: number;
  processesMax: number;
}

/** Looks at the machine, and removes the memory groups that a killed worker left behind. */
export async function lookAtMachine(options: GroundOptions): Promise<LaunchMachine> {
  const tools = findTools(options.toolFolders);
  const missing: LaunchMachine["missing"] = {};
  const privileged = process.geteuid?.() === 0;
  const ground = { program: options.program, tools, privileged, memoryMib: options.memoryLineMib, missing };
  const processors = availableParallelism();
  if (process.platform !== "linux") return { ...ground, processors, uids: null, groups: null };
  return {
    ...ground,
    processors,
    uids: privileged ? openUids(options, missing) : notRoot(missing),
    groups: await openGroups(options.memoryLineMib, missing),
  };
}

function notRoot(missing: LaunchMachine["missing"]): null {
  missing.own_uid = "the worker is not root, so it can't give a process another user";
  return null;
}

function openUids(
  { program, processesMax }: GroundOptions,
  missing: LaunchMachine["missing"],
): ProcessUids | null {
  // Known before a start is tried, since each that fails takes as long as one that works.
  const closed = closedToOthers([process.execPath, program.entry]);
  if (closed !== null) {
    missing.own_uid = closed;
    return null;
  }
  const range = ownUids()?.sandboxes;
  if (range !== undefined && range.count > processesMax) return new ProcessUids(range);
  missing.own_uid = `the worker's user namespace has too few users for ${processesMax} processes`;
  return null;
}

/** The users that a worker which is root may give its processes; null where there are none. */
export function ownUids(): ReturnType<typeof splitUids> | null {
  const range = uidRange(readFileSync("/proc/self/uid_map", "utf8"), process.pid);
  return range === null ? null : splitUids(range);
}

async function openGroups(limitMib: number, missing: LaunchMachine["missing"]): Promise<MemoryGroups | null> {
  const groups = await ownGroups(limitMib);
  if (!("reason" in groups)) return groups;
  missing.memory_cgroup = groups.reason;
  return null;
}

/** Makes this worker's memory groups from now on, and removes those that a killed one left behind. */
export async function ownGroups(limitMib: number): Promise<MemoryGroups | NoMemoryGroups> {
  const mount = cgroupMount(read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
  const worker = { pid: process.pid, startTicks: startTicksOf(process.pid) ?? "0" };
  const groups = await openMemoryGroups(mount, worker, limitMib);
  if (!("reason" in groups)) await groups.removeLeftovers(isAlive);
  return groups;
}

const isAlive = ({ pid, startTicks }: WorkerIdentity): boolean => startTicksOf(pid) === startTicks;

/** When a process started, in ticks since the machine did; null where there is no such process. */
function startTicksOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

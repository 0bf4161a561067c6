import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CgroupMount } from "./cgroup-mount.ts";
import { MemoryGroup } from "./memory-group.ts";

const PREFIX = "bulkhead-";

/** A worker by its process id and the tick at which it started: ids are used again, the pair is not. */
export interface WorkerIdentity {
  pid: number;
  startTicks: string;
}

/** Why no memory group can be made here. */
export interface NoMemoryGroups {
  reason: string;
}

/** Makes the memory groups of one worker's processes, all in one folder. */
export class MemoryGroups {
  readonly #folder: string;
  readonly #version: 1 | 2;
  readonly #worker: WorkerIdentity;
  readonly limitMib: number;
  /** Shared by the whole process: two pools in it may use one folder. */
  static #made = 0;

  constructor(folder: string, version: 1 | 2, worker: WorkerIdentity, limitMib: number) {
    this.#folder = folder;
    this.#version = version;
    this.#worker = worker;
    this.limitMib = limitMib;
  }

  /** A new, empty group with its limit set; throws the system's error where it can't be had. */
  async make(): Promise<MemoryGroup> {
    const { pid, startTicks } = this.#worker;
    const name = `${PREFIX}${pid}-${startTicks}-${++MemoryGroups.#made}`;
    const path = join(this.#folder, name);
    await mkdir(path);
    const group = new MemoryGroup(path, this.#version);
    try {
      await group.limit(this.limitMib);
    } catch (error) {
      await group.remove();
      throw error;
    }
    return group;
  }

  /** Removes the groups of workers that are gone. One that still holds a process stays for the next start. */
  async removeLeftovers(isAlive: (worker: WorkerIdentity) => boolean): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const [, pid, startTicks = ""] = /^bulkhead-(\d+)-(\d+)-\d+$/.exec(name) ?? [];
      if (pid === undefined || isAlive({ pid: Number(pid), startTicks })) continue;
      try {
        await rmdir(join(this.#folder, name));
      } catch {
        // Busy, or gone by another worker's hand: neither is this worker's to settle.
      }
    }
  }
}

/** Finds the nearest folder in which groups with a limit can be made. */
export async function openMemoryGroups(
  mount: CgroupMount | null,
  worker: WorkerIdentity,
  limitMib: number,
): Promise<MemoryGroups | NoMemoryGroups> {
  let reason = "no memory controller is mounted";
  for (const [height, folder] of (mount?.folders ?? []).entries()) {
    const groups = new MemoryGroups(folder, mount?.version ?? 2, worker, limitMib);
    try {
      if (mount?.version === 2) await handDownMemory(folder);
      await (await groups.make()).remove();
      return groups;
    } catch (error) {
      if (height === 0) reason = (error as Error).message;
    }
  }
  return { reason };
}

/** In version 2 a folder's groups have the controllers that it hands down; one with processes of its own may refuse. */
async function handDownMemory(folder: string): Promise<void> {
  const control = join(folder, "cgroup.subtree_control");
  const handedDown = (await readFile(control, "utf8")).split(/\s+/);
  if (!handedDown.includes("memory")) await writeFile(control, "+memory");
}

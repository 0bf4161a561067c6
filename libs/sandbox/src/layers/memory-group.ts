import { existsSync, readFileSync } from "node:fs";
import { open, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const MIB = 2 ** 20;
const REMOVE_AGAIN_MS = 50;
const REMOVE_TRIES_MAX = 20;

/** The names of one version's files. */
const FILES = {
  1: { limit: "memory.limit_in_bytes", events: "memory.oom_control" },
  2: { limit: "memory.max", events: "memory.events" },
} as const;

/**
 * The memory cgroup of one sandbox process: the kernel ends what is in it when it needs more than its limit. Its changes
 * are asynchronous, since the kernel takes some 10 ms to move a process.
 */
export class MemoryGroup {
  readonly path: string;
  readonly #version: 1 | 2;

  constructor(path: string, version: 1 | 2) {
    this.path = path;
    this.#version = version;
  }

  /** Swap is no way around it, where the kernel counts swap. */
  async limit(mib: number): Promise<void> {
    const bytes = `${mib * MIB}`;
    await this.#write(FILES[this.#version].limit, bytes);
    if (this.#version === 1) return this.#writeIfThere("memory.memsw.limit_in_bytes", bytes);
    await this.#writeIfThere("memory.swap.max", "0");
    await this.#writeIfThere("memory.oom.group", "1");
  }

  /** Takes the process in; what it had before stays on the account of where it came from. */
  add(pid: number): Promise<void> {
    return this.#write("cgroup.procs", `${pid}`);
  }

  /** The limit in force, in bytes. */
  async limitBytes(): Promise<number> {
    const text = await readFile(join(this.path, FILES[this.#version].limit), "utf8");
    return text.trim() === "max" ? Infinity : Number(text);
  }

  /**
   * Whether the kernel has ended a process for this limit; false where the group is gone. It counts a kill here too where a
   * group above ran out of memory, or the machine: then the process has not met its own limit, and is not to blame.
   */
  wasCrossed(): boolean {
    const events = this.#read(FILES[this.#version].events);
    return (
      countIn(events, /^oom_kill (\d+)$/m) > 0 &&
      (this.#version === 1 ? this.#wasFull() : countIn(events, /^oom (\d+)$/m) > 0)
    );
  }

  /** The first version counts the limit's hits in one of several places, and the most that was used in one. */
  #wasFull(): boolean {
    const used = Number(this.#read("memory.max_usage_in_bytes"));
    return used > Number(this.#read(FILES[1].limit)) - MIB;
  }

  #read(file: string): string {
    const path = join(this.path, file);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /**
   * Ends whatever the process left in it, and removes it; false while the system still holds on to it. A process that
   * broke out of node may have split off others, which SIGKILL to the one process does not reach.
   */
  async remove(): Promise<boolean> {
    try {
      const inside = await readFile(join(this.path, "cgroup.procs"), "utf8");
      for (const pid of inside.split("\n").filter(Boolean)) end(Number(pid));
      await rmdir(this.path);
      return true;
    } catch {
      return !existsSync(this.path);
    }
  }

  /** Only into what is there: a group that is gone must not become an ordinary file. */
  async #write(file: string, text: string): Promise<void> {
    await using handle = await open(join(this.path, file), "r+");
    await handle.writeFile(text);
  }

  async #writeIfThere(file: string, text: string): Promise<void> {
    if (existsSync(join(this.path, file))) await this.#write(file, text);
  }
}

const countIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0);

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}

/** The kernel may take a moment to let go of an ended process; what stays all the same goes at the next worker's start. */
export async function removeGroup(group: MemoryGroup | null): Promise<void> {
  if (group === null) return;
  for (let tries = 1; !(await group.remove()) && tries < REMOVE_TRIES_MAX; tries++) {
    await wait(REMOVE_AGAIN_MS);
  }
}

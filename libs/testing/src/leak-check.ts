import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll } from "vitest";
import { until } from "./until.ts";

/** Resources that keep a process alive after a test: timers, servers, connections, children. */
const WATCHED = ["Timeout", "TCPSocketWrap", "TCPServerWrap", "PipeWrap", "ProcessWrap", "TTYWrap", "Worker"];
const SETTLE_MS_MAX = 5_000;

export interface Held {
  /** How many of each kind of Node's active resources. */
  resources: Map<string, number>;
  children: Set<number>;
}

/**
 * Fails the test file when a child process, a timer or a connection that was not there at its start is left at its end
 * (they have 5 s to go). Call it at the top of the file, before any other hook: hooks after all run last to first.
 */
export function leakCheck(): void {
  let before: Held = { resources: new Map(), children: new Set() };
  beforeAll(async () => {
    before = await look();
  });
  afterAll(async () => {
    let left: string[] = [];
    await until(
      async () => {
        left = leftBehind(before, await look());
        return left.length === 0;
      },
      { timeoutMs: SETTLE_MS_MAX, what: "the test file leaves nothing behind" },
    ).catch(() => {
      throw new Error(`this test file leaves behind: ${left.join(", ")}`);
    });
  }, SETTLE_MS_MAX * 2);
}

/** The resources that this process holds at this moment. */
export async function look(): Promise<Held> {
  const resources = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.includes(kind)) resources.set(kind, (resources.get(kind) ?? 0) + 1);
  }
  return { resources, children: new Set(await childPids()) };
}

/** Describes the resources that are held `now` and were not `before`. */
export function leftBehind(before: Held, now: Held): string[] {
  const more = [...now.resources].flatMap(([kind, count]) => {
    const extra = count - (before.resources.get(kind) ?? 0);
    return extra > 0 ? [`${extra} × ${kind}`] : [];
  });
  const children = [...now.children].filter((pid) => !before.children.has(pid));
  return [...more, ...children.map((pid) => `child process ${pid}`)];
}

/** The children of this process, from /proc; none on systems without it, where ProcessWrap still counts them. */
async function childPids(): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const parents = await Promise.all(pids.map(parentOf));
  return pids.flatMap((pid, index) => (parents[index] === process.pid ? [Number(pid)] : []));
}

/** Null when the process has ended meanwhile. */
async function parentOf(pid: string): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

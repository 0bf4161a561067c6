import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { SandboxLayer, SandboxLayerReport } from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { beforeAll, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "../pool/sandbox-pool.ts";
import { isAlive } from "../pool/testing/tool-runs.ts";
import { cgroupMount } from "./cgroup-mount.ts";

leakCheck();
const PROGRAM = fileURLToPath(new URL("../pool/testing/worker-program.ts", import.meta.url));

/** A worker whose tool runs, and the processes of its sandboxes. */
async function startWorker(): Promise<{ worker: ChildProcess; pids: number[] }> {
  const worker = spawn(process.execPath, [PROGRAM], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: worker.stdout });
  const [line] = (await once(lines, "line")) as [string];
  lines.close();
  return { worker, pids: JSON.parse(line) as number[] };
}

async function withPool<T>(use: (pool: SandboxPool) => T | Promise<T>): Promise<T> {
  const pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

let reports: SandboxLayerReport[];
beforeAll(async () => {
  reports = await withPool((pool) => pool.layers());
});
const offers = (layer: SandboxLayer): boolean =>
  reports.some((report) => report.layer === layer && report.inForce);

/** The memory groups of a worker, wherever they are. */
function groupsOf(pid: number | undefined): string[] {
  const [mounts, own] = ["mountinfo", "cgroup"].map((file) => readFileSync(`/proc/self/${file}`, "utf8"));
  const names = (cgroupMount(mounts ?? "", own ?? "")?.folders ?? []).flatMap((folder) =>
    readdirSync(folder),
  );
  return names.filter((name) => name.startsWith(`bulkhead-${pid}-`));
}

it("takes sandboxes along that can't even notice, since the kernel ends them", async ({ skip }) => {
  skip(!offers("no_new_privileges"), "this machine has no setpriv that does it");
  const { worker, pids } = await startWorker();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  worker.kill("SIGKILL");
  await until(() => !pids.some(isAlive), { what: "every stopped sandbox is gone" });
});

it("leaves memory groups that the next start removes", async ({ skip }) => {
  skip(!offers("memory_cgroup"), "no memory cgroup can be made here");
  const { worker, pids } = await startWorker();
  // Looked at before: once it is dead, any pool that starts on this machine may be the one that removes them.
  expect(groupsOf(worker.pid)).not.toEqual([]);
  worker.kill("SIGKILL");
  await until(() => !pids.some(isAlive), { what: "every sandbox is gone" });
  await withPool((pool) => pool.layers());
  expect(groupsOf(worker.pid)).toEqual([]);
});

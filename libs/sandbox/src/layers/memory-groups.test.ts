import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MemoryGroups } from "./memory-groups.ts";

test("two pools of one process never make a group of the same name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-groups-"));
  try {
    const worker = { pid: process.pid, startTicks: "1" };
    const pools = [new MemoryGroups(folder, 1, worker, 64), new MemoryGroups(folder, 1, worker, 64)];
    // A plain folder has none of a group's files, which shows only when the group has its name.
    for (const pool of pools) await expect(pool.make()).rejects.toThrow("memory.limit_in_bytes");
    expect(await readdir(folder)).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

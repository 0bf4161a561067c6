import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { SandboxLayer, SandboxLayerReport } from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "../pool/sandbox-pool.ts";
import { isAlive, runQuietly, toolRun } from "../pool/testing/tool-runs.ts";
import { cgroupMount } from "./cgroup-mount.ts";

leakCheck();
let pool: SandboxPool;
let reports: SandboxLayerReport[];
const offers = (layer: SandboxLayer): boolean =>
  reports.some((report) => report.layer === layer && report.inForce);
const pidOf = (of: SandboxPool, tenantId: string): number =>
  of.stats().processes.find((process) => process.tenantId === tenantId)?.pid ?? 0;
const proc = (file: string, tenantId = "ten_a"): string =>
  readFileSync(`/proc/${pidOf(pool, tenantId)}/${file}`, "latin1");
const field = (name: string, tenantId?: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, "m").exec(proc("status", tenantId))?.[1] ?? "";
const namespaceOf = (pid: number | "self"): string => readlinkSync(`/proc/${pid}/ns/net`);

/** The groups of this worker's processes, wherever they are. */
function groups(): string[] {
  const mount = cgroupMount(
    readFileSync("/proc/self/mountinfo", "utf8"),
    readFileSync("/proc/self/cgroup", "utf8"),
  );
  const names = (mount?.folders ?? []).flatMap((folder) => readdirSync(folder));
  return names.filter((name) => name.startsWith(`bulkhead-${process.pid}-`));
}

/** What /proc must show of a process that serves a tenant, for each layer that the pool says is in force. */
const SHOWN: Partial<Record<SandboxLayer, () => void>> = {
  environment: () => expect(proc("environ")).toBe(""),
  no_new_privileges: () => expect(field("NoNewPrivs")).toBe("1"),
  capabilities: () => {
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapAmb"]) expect(field(set)).toMatch(/^0+$/);
  },
  own_uid: () => {
    const [uid] = field("Uid").split("\t");
    expect(field("Uid")).toBe(Array(4).fill(uid).join("\t"));
    expect(field("Gid")).toBe(field("Uid"));
    expect(Number(uid)).toBeGreaterThan(60_000);
    expect(field("Uid", "ten_b")).not.toBe(field("Uid"));
  },
  network_namespace: () => {
    expect(namespaceOf(pidOf(pool, "ten_a"))).not.toBe(namespaceOf("self"));
    expect(namespaceOf(pidOf(pool, "ten_a"))).not.toBe(namespaceOf(pidOf(pool, "ten_b")));
    expect(proc("net/dev").match(/^ *\w+:/gm)).toEqual([expect.stringContaining("lo:")]);
    expect(proc("net/route").trim().split("\n")).toHaveLength(1);
    // An interface that is up would have its address here.
    expect(proc("net/fib_trie")).not.toContain("127.0.0.1");
  },
  resource_limits: () => {
    expect(proc("limits")).toMatch(/^Max file size +0 +0 /m);
    expect(proc("limits")).toMatch(/^Max core file size +0 +0 /m);
    expect(proc("limits")).toMatch(/^Max open files +64 +64 /m);
    expect(proc("limits")).toMatch(/^Max cpu time +3600 +3600 /m);
    expect(proc("limits")).toMatch(/^Max data size +\d+ +\d+ /m);
  },
  memory_cgroup: () => expect(proc("cgroup")).toMatch(new RegExp(`/bulkhead-${process.pid}-\\d+-\\d+$`, "m")),
  oom_score: () => expect(proc("oom_score_adj")).toBe("1000\n"),
  permission_model: () => expect(proc("cmdline").split("\0")).toContain("--permission"),
};

describe.skipIf(process.platform !== "linux")("a process that serves a tenant", () => {
  beforeAll(async () => {
    pool = openSandboxPool({ processesMax: 3, blankTarget: 1 });
    reports = await pool.layers();
    for (const tenantId of ["ten_a", "ten_b"]) await runQuietly(pool, toolRun("return 1", { tenantId }));
  });
  afterAll(() => pool.close());

  it.for(Object.entries(SHOWN))("stands behind %s, as /proc shows", ([layer, isShown], { skip }) => {
    skip(!offers(layer as SandboxLayer), `this machine does not offer ${layer}`);
    isShown();
  });

  it("still measures itself", async () => {
    const { usage } = await runQuietly(pool, toolRun("return new Array(5e5).fill(1.5).length"));
    expect(usage.memoryPeakMib).toBeGreaterThan(1);
  });
});

describe.skipIf(process.platform !== "linux")("a tool that eats memory beside its heap", () => {
  it("is ended by the kernel at the line, as a matter of memory, and nobody else is harmed", async ({
    skip,
  }) => {
    const small = openSandboxPool({ processesMax: 2, blankTarget: 0, memoryLineMib: 160 });
    try {
      const found = (await small.layers()).find(({ layer }) => layer === "memory_cgroup");
      skip(found?.inForce !== true, "no memory cgroup can be made here");
      const beside = (): Promise<unknown> => runQuietly(small, toolRun("return 1", { tenantId: "ten_b" }));
      await beside();
      const neighbour = pidOf(small, "ten_b");
      const eater = "const a = []; for (;;) a.push(new Intl.DateTimeFormat('en', { dateStyle: 'full' }))";
      const verdict = await runQuietly(small, toolRun(eater, {}, { memoryMib: 256, cpuMs: 20_000 }));
      expect(verdict).toMatchObject({ outcome: "memory", endedBy: "system" });
      expect(isAlive(neighbour)).toBe(true);
      expect(await beside()).toMatchObject({ outcome: "returned", json: "1" });
    } finally {
      await small.close();
    }
  });

  it("leaves no group behind", async () => {
    await until(() => groups().length === 0, { what: "every memory group is removed" });
  });
});

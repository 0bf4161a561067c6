import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { SandboxLayer, SandboxLayerReport } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SandboxPoolOptions } from "../pool/options.ts";
import { openSandboxPool, type SandboxPool } from "../pool/sandbox-pool.ts";
import { greetingProgram } from "../pool/testing/greeting-program.ts";
import { runQuietly, toolRun } from "../pool/testing/tool-runs.ts";
import { closedToOthers } from "./closed-folder.ts";
import { findTools, TOOL_FOLDERS } from "./find-tools.ts";
import { MissingLayersError } from "./require-layers.ts";

leakCheck();
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";
let folder: string;
let pool: SandboxPool | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "layers-"));
});
afterEach(async () => {
  await pool?.close();
  rmSync(folder, { recursive: true });
});

const open = (options: SandboxPoolOptions): SandboxPool =>
  (pool = openSandboxPool({ processesMax: 2, blankTarget: 0, ...options }));
const detailOf = (reports: readonly SandboxLayerReport[], layer: SandboxLayer): string | null => {
  const found = reports.find((report) => report.layer === layer);
  return found === undefined || found.inForce ? null : found.detail;
};

describe("a pool whose machine lacks something", () => {
  it("serves without util-linux and Perl, and says what is not installed", async () => {
    const serving = open({ toolFolders: [folder] });
    const reports = await serving.layers();
    if (isLinux) {
      expect(detailOf(reports, "no_new_privileges")).toBe("setpriv (util-linux) is not installed");
      expect(detailOf(reports, "network_namespace")).toBe("unshare (util-linux) is not installed");
      expect(detailOf(reports, "resource_limits")).toBe("prlimit (util-linux) is not installed");
      expect(detailOf(reports, "landlock")).toBe("perl (perl-base) is not installed");
      expect(detailOf(reports, "environment")).toBeNull();
      expect(detailOf(reports, "permission_model")).toBeNull();
    }
    expect(await runQuietly(serving, toolRun("return 1"))).toMatchObject({
      json: "1",
    });
  });

  it.skipIf(!isLinux)("gives up only the layer that is refused, with the system's own words", async () => {
    for (const [name, path] of Object.entries(findTools(TOOL_FOLDERS))) {
      if (path !== null && name !== "unshare") symlinkSync(path, join(folder, name));
    }
    writeFileSync(join(folder, "unshare"), "#!/bin/sh\necho 'unshare: not permitted here' >&2\nexit 1\n");
    chmodSync(join(folder, "unshare"), 0o755);
    chmodSync(folder, 0o755);
    const serving = open({ toolFolders: [folder] });
    const reports = await serving.layers();
    expect(detailOf(reports, "network_namespace")).toBe("unshare: not permitted here");
    expect(detailOf(reports, "no_new_privileges")).toBeNull();
    expect(detailOf(reports, "resource_limits")).toBeNull();
    expect(await runQuietly(serving, toolRun("return 1"))).toMatchObject({
      json: "1",
    });
  });

  it.skipIf(!isRoot || !isLinux)(
    "keeps the worker's user where another can't reach the program",
    async () => {
      const entry = join(folder, "greets.cjs");
      writeFileSync(entry, greetingProgram());
      const reports = await open({ program: { entry, readable: [entry] } }).layers();
      // Which folder is told depends on where the project itself lies.
      expect(detailOf(reports, "own_uid")).toMatch(/^the folder \S+ is closed to other users$/);
      expect(detailOf(reports, "environment")).toBeNull();
    },
  );

  const program = fileURLToPath(new URL("../pool/testing/layers-program.ts", import.meta.url));
  const isReachable = closedToOthers([process.execPath, program]) === null;
  it.skipIf(!isRoot || !isLinux || !isReachable)(
    "gives an unprivileged worker what needs no root",
    async () => {
      const nobody = 65_534;
      const worker = spawn(process.execPath, [program], { uid: nobody, gid: nobody, env: {}, cwd: "/" });
      const reports = JSON.parse(await text(worker.stdout)) as SandboxLayerReport[];
      expect(detailOf(reports, "own_uid")).toMatch(/not root/);
      for (const layer of ["environment", "no_new_privileges", "capabilities", "resource_limits"] as const)
        expect(detailOf(reports, layer)).toBeNull();
    },
  );
});

describe("a pool that requires a layer that is missing", () => {
  it("refuses with every missing layer and why, and serves no run", async () => {
    const refusing = open({ toolFolders: [folder], requiredLayers: ["environment", "landlock", "own_uid"] });
    const refused = await refusing.layers().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MissingLayersError);
    const { message } = refused as MissingLayersError;
    expect(message).toMatch(/^ {2}landlock: .+$/m);
    expect(message).toMatch(/^ {2}own_uid: .+$/m);
    if (isLinux) expect(message).not.toContain("  environment:");
    expect(await runQuietly(refusing, toolRun("return 1"))).toMatchObject({ outcome: "unavailable" });
    expect(refusing.stats().started).toBe(0);
  });

  it("starts where all that it requires is in force", async () => {
    const required: SandboxLayer[] = isLinux ? ["environment", "permission_model"] : [];
    expect(await runQuietly(open({ requiredLayers: required }), toolRun("return 1"))).toMatchObject({
      json: "1",
    });
  });
});

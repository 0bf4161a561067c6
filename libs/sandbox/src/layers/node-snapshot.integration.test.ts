import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openSandboxPool, type SandboxPool } from "../pool/sandbox-pool.ts";
import { greetingProgram } from "../pool/testing/greeting-program.ts";
import { runQuietly, toolRun } from "../pool/testing/tool-runs.ts";

leakCheck();

let folder: string;
let pool: SandboxPool;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bulkhead-node-snapshot-"));
});
afterEach(() => pool.close());
afterAll(() => rmSync(folder, { recursive: true }));

test("node's own snapshot is used with the isolated-vm of this release", async () => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 0 });
  await pool.layers();
  expect(pool.stats().nodeSnapshot).toBe(true);
  expect(await runQuietly(pool, toolRun("return 1"))).toMatchObject({ json: "1" });
});

test("where a process dies with it, all are started without it", async () => {
  const entry = join(folder, "dies.cjs");
  writeFileSync(
    entry,
    greetingProgram('if (!process.execArgv.includes("--no-node-snapshot")) process.abort();'),
  );
  pool = openSandboxPool({ program: { entry, readable: [entry] }, processesMax: 1, blankTarget: 0 });
  const reports = await pool.layers();
  expect(reports.some(({ inForce }) => inForce)).toBe(true);
  expect(pool.stats().nodeSnapshot).toBe(false);
});

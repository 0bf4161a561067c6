import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./support/files.ts";

/** Debian has it in its package prometheus. */
const PROGRAM = "promtool";
const promtool = (...args: string[]) =>
  spawnSync(PROGRAM, args, { cwd: join(ROOT, "deploy/prometheus"), encoding: "utf8", timeout: 60_000 });

const isThere = promtool("--version").status === 0;

const CHECKS = [
  { name: "the configuration with its rules is valid", args: ["check", "config", "prometheus.yml"] },
  { name: "alerts fire when they should, and not before", args: ["test", "rules", "rules-test.yml"] },
];

// Where it is missing these show as skipped; queries.test.ts parses every rule all the same.
test.skipIf(!isThere).each(CHECKS)("promtool: $name", ({ args }) => {
  const { status, stdout, stderr } = promtool(...args);
  expect(`${stdout}${stderr}`).not.toMatch(/FAILED/);
  expect(status).toBe(0);
});

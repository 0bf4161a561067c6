import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, asyncProperty } from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeTenantCommand } from "../command-threads.ts";
import { commandLines } from "./fixtures/command-lines.ts";
import { decideCommand } from "./judged-command.ts";

const BASH = "/bin/bash";
const LINES = 4_000;
const MS_MAX = 1_000;
const OTHERS = ["env", "nice", "timeout", "xargs", "find", "bash", "cat", "rev"];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-judge-"));
  await mkdir(join(folder, "programs"));
  for (const name of ["evil", "ok"])
    await writeFile(join(folder, "programs", name), `#!${BASH}\necho ${name} >>${folder}/log\n`, {
      mode: 0o755,
    });
  for (const name of OTHERS) {
    const at = ["/usr/bin", "/bin"].map((place) => join(place, name)).find(existsSync);
    if (at !== undefined) await symlink(at, join(folder, "programs", name));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The programs that Bash has run for a line: of `evil` and `ok`. */
async function ranBy(line: string): Promise<string[]> {
  const work = await mkdtemp(join(folder, "work-"));
  await rm(join(folder, "log"), { force: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  // A group of its own, so that what it left in the background goes with it.
  const child = execFile("/usr/bin/setsid", [BASH, "-c", line], {
    cwd: work,
    env: { PATH: join(folder, "programs") },
  });
  const end = setTimeout(() => child.kill("SIGKILL"), MS_MAX);
  child.once("close", () => resolve());
  child.stdin?.on("error", () => undefined).end();
  await promise;
  clearTimeout(end);
  if (child.pid !== undefined) endGroup(child.pid);
  const log = await readFile(join(folder, "log"), "utf8").catch(() => "");
  await rm(work, { recursive: true, force: true });
  return log.split("\n").filter((name) => name !== "");
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left of it.
  }
}

test.runIf(existsSync(BASH))(
  "Bash runs no program that a rule blocks, and no other than those that rules let run, however a line is written",
  async () => {
    await assert(
      asyncProperty(commandLines, async (line) => {
        const blocking = await judgeTenantCommand("ten_a", line, [{ pattern: "evil", approval: "blocked" }]);
        const letting = await judgeTenantCommand("ten_a", line, [{ pattern: "ok", approval: "preApproved" }]);
        const isLet = letting.verdict === "run" && decideCommand(letting, "ask") === "preApproved";
        if (blocking.verdict === "refuse" && !isLet) return;
        expect(await ranBy(line), line).not.toContain("evil");
      }),
      { numRuns: LINES },
    );
  },
);

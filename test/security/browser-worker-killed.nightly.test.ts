import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { leakCheck, until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { findChromium } from "../support/browser.ts";

leakCheck();
const PROGRAM = fileURLToPath(new URL("support/browser-worker.ts", import.meta.url));

/** All processes that were started by this one, and by those. */
function offspringOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean);
    return children.flatMap((child) => [Number(child), ...offspringOf(Number(child))]);
  } catch {
    return [];
  }
}

/** The folders for temporary files that a browser could have left. */
const folders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /playwright|chromium_|org\.chromium/i.test(name));

test.each(["standing still", "at work"])(
  "a worker that is killed takes its browser along, %s",
  async (state) => {
    const before = folders();
    const worker = spawn(process.execPath, [PROGRAM, await findChromium()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: worker.stdout });
    const [line] = (await once(lines, "line")) as [string];
    const told = JSON.parse(line) as { children?: number[]; refused?: string };
    if (told.children !== undefined) {
      const all = offspringOf(worker.pid ?? 0);
      expect(all.length).toBeGreaterThan(4);
      if (state === "at work") for (const pid of all) process.kill(pid, "SIGCONT");
      worker.kill("SIGKILL");
      const left = new Set(all);
      await until(
        () => {
          for (const pid of left) if (!readdirSync("/proc").includes(`${pid}`)) left.delete(pid);
          return left.size === 0;
        },
        { what: "nothing of its browser is left" },
      );
    } else {
      // Where the layers can't be had there is no browser, and it is said why.
      expect(told.refused).toMatch(/^The browser can't be started here: /);
      worker.kill("SIGKILL");
    }
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
    lines.close();
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
  },
);

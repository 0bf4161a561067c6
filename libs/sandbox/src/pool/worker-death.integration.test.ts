import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { leakCheck, until } from "@bulkhead/testing";
import { expect, it } from "vitest";
import { isAlive } from "./testing/tool-runs.ts";

leakCheck();

it("no sandbox outlives a worker that was killed, though its tool spins", async () => {
  const program = fileURLToPath(new URL("testing/worker-program.ts", import.meta.url));
  const worker = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: worker.stdout });
  let pids: number[] = [];
  try {
    const [line] = (await once(lines, "line")) as [string];
    pids = JSON.parse(line) as number[];
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.every(isAlive)).toBe(true);
  } finally {
    worker.kill("SIGKILL");
    lines.close();
  }
  await until(() => !pids.some(isAlive), { what: "every sandbox is gone" });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, leakCheck } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { demoKey, nothingLeft, paste, runStandalone, type StandaloneRun } from "./fixtures/run-standalone.ts";

leakCheck();

let dataDir: string;
const runs: StandaloneRun[] = [];
const start = (env: Record<string, string> = {}): StandaloneRun => {
  const run = runStandalone(dataDir, env);
  runs.push(run);
  return run;
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-start-"));
});
afterEach(async ({ task }) => {
  for (const run of runs.splice(0)) {
    if (task.result?.state === "fail") process.stderr.write(`${run.output()}\n`);
    for (const pid of await run.family()) process.kill(pid, "SIGKILL");
    await nothingLeft(run);
  }
});
afterAll(() => rm(dataDir, { recursive: true }));

test("[S1] start, paste, Ctrl-C: nothing is left; the second start has the tool, and the paste works twice", async () => {
  const metricsPort = await freePort({ inARow: 2 });
  const first = start({ METRICS_PORT: String(metricsPort) });
  const url = await first.ready();
  expect(demoKey(first)).toMatch(/^bh_/u);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  for (const [count, service] of ["api", "worker"].entries()) {
    const metrics = await fetch(`http://127.0.0.1:${metricsPort + count}/metrics`);
    expect(await metrics.text()).toContain(`service="${service}"`);
  }
  const printed = await paste(first);
  expect(printed).toContain("event: execution.succeeded");
  expect(printed).toContain('"words":4');
  first.signal("SIGINT");
  expect(await first.ended()).toBe(0);
  expect(await first.family()).toEqual([]);

  const second = start();
  await second.ready();
  expect(demoKey(second)).toBe(demoKey(first));
  const again = await paste(second);
  expect(again).toContain("tool.name_taken");
  expect(again).toContain("event: execution.succeeded");
  second.signal("SIGTERM");
  expect(await second.ended()).toBe(0);
  expect(await second.family()).toEqual([]);
});

test("[S2] every bad setting is reported at once, by name, and no value of a secret is shown", async () => {
  const run = start({
    HOST: "???",
    METRICS_HOST: "[::1]",
    PORT: "many",
    REDIS_URL: "http://hunter2@example",
    BULKHEAD_ADMIN_KEY: "hunter2",
    SHUTDOWN_GRACE_MS: "-1",
  });
  expect(await run.ended()).toBe(1);
  expect(await run.family()).toEqual([]);
  const printed = run.output();
  const names = ["HOST", "METRICS_HOST", "PORT", "REDIS_URL", "BULKHEAD_ADMIN_KEY", "SHUTDOWN_GRACE_MS"];
  for (const name of names) {
    expect(printed).toMatch(new RegExp(`^  ${name}: `, "mu"));
  }
  expect(printed).not.toContain("hunter2");
});

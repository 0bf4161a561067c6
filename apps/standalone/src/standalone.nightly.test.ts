import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { leakCheck, openSse, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  demoKey,
  nothingLeft,
  paste,
  runNpmStart,
  runStandalone,
  type StandaloneRun,
} from "./fixtures/run-standalone.ts";

leakCheck();

let dataDir: string;
const runs: StandaloneRun[] = [];
const start = (env: Record<string, string> = {}): StandaloneRun => {
  const run = runStandalone(dataDir, env);
  runs.push(run);
  return run;
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-standalone-"));
});
afterEach(async ({ task }) => {
  for (const run of runs.splice(0)) {
    if (task.result?.state === "fail") process.stderr.write(`${run.output()}\n`);
    for (const pid of await run.family()) process.kill(pid, "SIGKILL");
    await nothingLeft(run);
  }
});
afterAll(() => rm(dataDir, { recursive: true }));

test("kill -9 of the supervisor takes everything along, and the next start takes over its lock", async () => {
  const killed = start();
  await killed.ready();
  expect((await killed.family()).length).toBeGreaterThan(4);
  killed.signal("SIGKILL");
  expect(await killed.ended()).toBeNull();
  await nothingLeft(killed);

  const next = start();
  await next.ready();
  next.signal("SIGINT");
  expect(await next.ended()).toBe(0);
});

test("a second start on the same data folder names the first and leaves it alone", async () => {
  const first = start();
  const url = await first.ready();
  const second = start();
  expect(await second.ended()).toBe(1);
  expect(second.output()).toContain(`Another Bulkhead (process ${first.pid}) runs on ${dataDir}`);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  first.signal("SIGINT");
  expect(await first.ended()).toBe(0);
});

test("a stale lock of a dead process does not stop a start", async () => {
  await mkdir(join(dataDir, "lock"), { recursive: true });
  await writeFile(join(dataDir, "lock/4194305-dead"), "");
  const run = start();
  await run.ready();
  run.signal("SIGINT");
  expect(await run.ended()).toBe(0);
});

test("an API, a worker or a store that is killed comes back at the same address", async () => {
  const run = start();
  const url = await run.ready();
  for (const what of ["apps/api/src/main.ts", "apps/worker/src/main.ts", "redis.conf", "-D "]) {
    await killOne(run, what);
    await until(
      () =>
        run
          .output()
          .split("\n")
          .some((line) => line.includes(NAMES[what] ?? "")),
      {
        timeoutMs: 60_000,
        what: `${what} runs again`,
      },
    );
    await until(async () => (await fetch(`${url}/readyz`)).status === 200, {
      timeoutMs: 60_000,
      what: `the API is ready after the death of ${what}`,
    });
  }
  expect(await paste(run)).toContain("event: execution.succeeded");
  run.signal("SIGINT");
  expect(await run.ended()).toBe(0);
  expect(await run.family()).toEqual([]);
});

const NAMES: Record<string, string> = {
  "apps/api/src/main.ts": "the API runs again",
  "apps/worker/src/main.ts": "the worker runs again",
  "redis.conf": "Redis runs again",
  "-D ": "PostgreSQL runs again",
};

/** Sends SIGKILL to the process of that command; the guards, whose command line has it too, are spared. */
async function killOne(run: StandaloneRun, command: string): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", [
    "-ww",
    "-o",
    "pid=,args=",
    "-p",
    (await run.family()).join(","),
  ]);
  const line = stdout.split("\n").find((text) => text.includes(command) && !text.includes("bulkhead-guard"));
  const pid = Number.parseInt(line ?? "", 10);
  expect(pid).toBeGreaterThan(1);
  process.kill(pid, "SIGKILL");
}

test("what a killed worker ran is taken over by the one that is started in its place", async () => {
  const run = start({ LOG_LEVEL: "info", SHUTDOWN_GRACE_MS: "600" });
  await runLongTool(await run.ready(), demoKey(run));
  await killOne(run, "apps/worker/src/main.ts");
  await until(() => run.output().includes("the attempts of a dead worker were reclaimed"), {
    timeoutMs: 60_000,
    what: "the next worker has taken it over",
  });
  run.signal("SIGINT");
  expect(await run.ended()).toBe(0);
  expect(await run.family()).toEqual([]);
});

test("Ctrl-C waits for what runs only as long as the grace, and a second Ctrl-C not at all", async () => {
  const patient = start({ SHUTDOWN_GRACE_MS: "600" });
  await runLongTool(await patient.ready(), demoKey(patient));
  patient.signal("SIGINT");
  expect(await patient.ended()).toBe(0);
  expect(await patient.family()).toEqual([]);

  const impatient = start({ SHUTDOWN_GRACE_MS: "600000" });
  await runLongTool(await impatient.ready(), demoKey(impatient));
  impatient.signal("SIGINT");
  await until(
    () => {
      impatient.signal("SIGINT");
      return impatient.hasEnded();
    },
    { timeoutMs: 60_000, what: "a later Ctrl-C has ended it" },
  );
  expect(await impatient.ended()).toBe(130);
  await nothingLeft(impatient);
});

/** Leaves an execution running that takes longer than any test. */
async function runLongTool(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${url}/api/v1/custom-tools${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const code = "emit(1); await new Promise((done) => setTimeout(done, 100000)); return 1";
  const created = await post("", {
    name: "long",
    description: "Takes long.",
    parameters: { type: "object" },
    limits: { wallMs: 120_000 },
    code,
  });
  expect([201, 409]).toContain(created.status);
  const stream = await openSse(`${url}/api/v1/custom-tools/long/execute`, {
    headers,
    body: { arguments: {}, mode: "stream", timeoutMs: 180_000 },
  });
  for (let event = await stream.next(); event?.event !== "execution.progress"; event = await stream.next()) {
    expect(event).not.toBeNull();
  }
  await stream.close();
}

test("Ctrl-C while it still starts ends it cleanly", async () => {
  const run = start();
  await until(() => run.output().includes("started PostgreSQL"), {
    timeoutMs: 60_000,
    what: "PostgreSQL is up",
  });
  run.signal("SIGINT");
  expect(await run.ended()).toBe(0);
  expect(await run.family()).toEqual([]);
  expect(run.output()).not.toMatch(/^\s+at /mu);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s to npm alone stops everything in order", async (signal) => {
  const run = runNpmStart(dataDir);
  runs.push(run);
  await run.ready();
  expect((await run.family()).length).toBeGreaterThan(5);
  run.signal(signal);
  await run.ended();
  await nothingLeft(run);
  expect(run.output()).toContain(`${signal}: stopping`);
  expect(run.output()).toMatch(new RegExp(`^ {2}stopped \\(.* s\\): ${signal}$`, "mu"));
});

test("an error that nobody handles stops everything in order, and the end tells it", async () => {
  const breaking = join(dataDir, "breaking.mjs");
  await writeFile(breaking, 'process.once("SIGUSR2", () => { throw new Error("nobody handles this"); });');
  const run = start({ NODE_OPTIONS: `--import=${breaking}` });
  await run.ready();
  run.signal("SIGUSR2");
  expect(await run.ended()).toBe(1);
  await nothingLeft(run);
  expect(run.output()).toMatch(/^ {2}stopped \(.* s\): nobody handles this$/mu);
  expect(run.output()).toContain("Error: nobody handles this");
});

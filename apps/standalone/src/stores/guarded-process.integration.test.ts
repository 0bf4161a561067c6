import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGuarded, type GuardedCommand } from "./guarded-process.ts";
import { readProcess } from "./process-facts.ts";

leakCheck();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-guard-"));
});
afterAll(() => rm(folder, { recursive: true }));

const shell = (script: string, more: Partial<GuardedCommand> = {}): GuardedCommand => ({
  command: "/bin/sh",
  args: ["-c", script],
  env: { PATH: "/usr/bin:/bin" },
  cwd: folder,
  identity: null,
  logFile: join(folder, "log"),
  stopSignal: "TERM",
  stopMsMax: 5_000,
  removeWith: null,
  ...more,
});

test("a store gets its own signal and may finish before it ends", async () => {
  // Not a shell: it could not trap what the guard's background job starts with ignored.
  const script =
    "const fs = require('node:fs');" +
    "process.on('SIGINT', () => { fs.writeFileSync('finished', 'yes'); process.exit(0); });" +
    "setInterval(() => {}, 1000); fs.writeFileSync('up', 'yes');";
  const command = shell("", { command: process.execPath, args: ["-e", script], stopSignal: "INT" });
  const store = await startGuarded(command);
  await until(() => readFile(join(folder, "up"), "utf8"), { what: "the store has set its trap" });
  await store.stop();
  expect(await readFile(join(folder, "finished"), "utf8")).toBe("yes");
  expect(store.hasEnded()).toBe(true);
});

test("a store that ignores the signal is ended by force", async () => {
  const script = "trap '' TERM; echo deaf > deaf; while :; do sleep 0.05; done";
  const store = await startGuarded(shell(script, { stopMsMax: 200 }));
  await until(() => readFile(join(folder, "deaf"), "utf8"), { what: "the store ignores TERM" });
  await store.stop();
  expect(await readProcess(store.pid)).toBeNull();
});

test("a store that ends by itself is noticed, and what it said is in the log", async () => {
  const store = await startGuarded(shell("echo went down >&2; exit 3"));
  await store.ended;
  expect(store.hasEnded()).toBe(true);
  expect(await readFile(join(folder, "log"), "utf8")).toContain("went down");
});

test("a store whose guard is killed ends too", async () => {
  const store = await startGuarded(shell("while :; do sleep 0.05; done"));
  const guard = (await readProcess(store.pid))?.parentPid ?? 0;
  process.kill(guard, "SIGKILL");
  await store.ended;
  await until(async () => (await readProcess(store.pid)) === null, { what: "the store has ended" });
});

test("a store sees the environment it was given and nothing of its owner's", async () => {
  process.env["BULKHEAD_TEST_OWNER_ONLY"] = "secret";
  const store = await startGuarded(shell("env > env", { env: { PATH: "/usr/bin:/bin", GIVEN: "yes" } }));
  await store.ended;
  delete process.env["BULKHEAD_TEST_OWNER_ONLY"];
  const names = (await readFile(join(folder, "env"), "utf8")).split("\n").map((line) => line.split("=")[0]);
  expect(names).toContain("GIVEN");
  expect(names).not.toContain("BULKHEAD_TEST_OWNER_ONLY");
});

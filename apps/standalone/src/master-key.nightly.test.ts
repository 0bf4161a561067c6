import { execFile } from "node:child_process";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { runStandalone, type StandaloneRun } from "./fixtures/run-standalone.ts";

leakCheck();

const ROTATE_KEYS = join(import.meta.dirname, "../../rotate-keys/src/main.ts");

let dataDir: string;
const runs: StandaloneRun[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-master-key-"));
});
afterEach(async ({ task }) => {
  for (const run of runs.splice(0)) {
    if (task.result?.state === "fail") process.stderr.write(`${run.output()}\n`);
    for (const pid of await run.family()) process.kill(pid, "SIGKILL");
  }
});
afterAll(() => rm(dataDir, { recursive: true }));

const file = (name: string): string => join(dataDir, name);

function start(): StandaloneRun {
  const run = runStandalone(dataDir);
  runs.push(run);
  return run;
}

/** The output of `npm run rotate-keys` when nothing but the data folder is set. */
async function rotateKeys(): Promise<string> {
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir };
  return (await promisify(execFile)(process.execPath, [ROTATE_KEYS], { env })).stdout;
}

/** The webhook secret of the demo tenant, after a whole start and stop. */
async function secretOf(run: StandaloneRun): Promise<string> {
  const url = await run.ready();
  const headers = { authorization: `Bearer ${(await readFile(file("demo-key"), "utf8")).trim()}` };
  const answer = await fetch(`${url}/api/v1/webhook-secret`, { headers });
  const { data } = (await answer.json()) as { data: { secret: string } };
  run.signal("SIGINT");
  expect(await run.ended()).toBe(0);
  return data.secret;
}

test("a master key that is gone is asked for, and one is replaced by npm run rotate-keys, however often", async () => {
  const secret = await secretOf(start());
  expect(secret).toMatch(/^whsec_/u);

  await rename(file("master-key"), file("kept"));
  const without = start();
  expect(await without.ended()).toBe(1);
  expect(without.output()).toMatch(/^ {2}BULKHEAD_MASTER_KEY: is not the one of this database/mu);
  expect(without.output()).not.toMatch(/^\s+at /mu);

  await rename(file("kept"), file("master-key"));
  const first = await readFile(file("master-key"), "utf8");
  expect(await rotateKeys()).toContain("npm start");
  const second = await readFile(file("master-key"), "utf8");
  expect(await rotateKeys()).toContain("npm start");
  expect(await readFile(file("master-key-old"), "utf8")).toBe(first + second);
  const rotating = start();
  expect(await secretOf(rotating)).toBe(secret);
  expect(rotating.output()).toContain("the new master key wraps everything");
});

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { leakCheck } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";
import { demoKey, nothingLeft, runStandalone, type StandaloneRun } from "./fixtures/run-standalone.ts";

leakCheck();

const CALLERS = 16;
const CALLS_EACH = 60;
let run: StandaloneRun;
let dataDir: string;
let spinning: ChildProcess[] = [];
const stopSpinning = (): void => spinning.splice(0).forEach((child) => child.kill("SIGKILL"));

afterEach(async ({ task }) => {
  stopSpinning();
  if (task.result?.state === "fail") process.stderr.write(`${run.output()}\n`);
  for (const pid of await run.family()) process.kill(pid, "SIGKILL");
  await nothingLeft(run);
  await rm(dataDir, { recursive: true });
});

async function send(
  url: string,
  key: string,
  body: object,
): Promise<{ status: number; body: { data?: { status?: string } } }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { data?: { status?: string } } };
}

test("calls are answered and nothing stops by itself while twice as many processes as processors are busy", async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-shortage-"));
  run = runStandalone(dataDir);
  const tools = `${await run.ready()}/api/v1/custom-tools`;
  const key = demoKey(run);
  const made = await send(tools, key, {
    name: "sums",
    description: "Adds up.",
    parameters: { type: "object", properties: { n: { type: "number" } } },
    code: "let sum = 0; for (let i = 0; i < 1e5; i += 1) sum += i % args.n; return sum;",
  });
  expect(made.status).toBe(201);

  spinning = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  const caller = async (): Promise<void> => {
    for (let n = 1; n <= CALLS_EACH; n += 1) {
      const { status, body } = await send(`${tools}/sums/execute`, key, { arguments: { n } });
      expect([status, body.data?.status]).toEqual([200, "succeeded"]);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  stopSpinning();

  expect(run.hasEnded()).toBe(false);
  expect(run.output()).not.toContain("stopped");
  expect(run.output()).not.toContain("again");
  run.signal("SIGINT");
  expect(await run.ended()).toBe(0);
  expect(run.output()).toMatch(/stopped \(.*\): SIGINT\n$/u);
});

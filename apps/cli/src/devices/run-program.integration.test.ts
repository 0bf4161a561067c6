import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import type { OfferedCommand } from "./offered-commands.ts";
import { OUTPUT_BYTES_MAX, runProgram } from "./run-program.ts";

const command = (script: string, more: Partial<OfferedCommand> = {}): OfferedCommand => ({
  name: "x",
  description: "",
  parameters: {},
  run: [process.execPath, "-e", script, "{{a}}"],
  timeoutMs: 60_000,
  cwd: tmpdir(),
  output: "text",
  ...more,
});
const WAIT = { timeout: 10_000 };
const lines: string[] = [];
const run = (
  offered: OfferedCommand,
  how: { args?: Record<string, unknown>; timeoutMs?: number; signal?: AbortSignal } = {},
) =>
  runProgram(offered, {
    arguments: how.args ?? { a: "x" },
    timeoutMs: how.timeoutMs ?? 60_000,
    signal: how.signal ?? new AbortController().signal,
    env: { ...process.env, BULKHEAD_KEY: "bh_secret" },
    onLine: (line) => void lines.push(line),
  });

test("words come whole through no shell, and all arguments as JSON on standard input", async () => {
  const args = { a: `it's "$(id)"; & \n *`, b: [1] };
  const script = `process.stdin.on("data", (text) => console.log(JSON.stringify([process.argv[1], JSON.parse(text)])))`;
  expect(await run(command(script, { output: "json" }), { args })).toEqual({
    ok: true,
    value: [args.a, args],
  });
});

test("the key of the command line is no program's", async () => {
  const ran = await run(command(`console.log(process.env.BULKHEAD_KEY ?? "none")`));
  expect(ran).toEqual({ ok: true, value: "none" });
});

test("a failure is told with the end of what was said of it, whose lines are heard", async () => {
  const script = `console.error("first"); console.error("why"); process.exitCode = 3;`;
  expect(await run(command(script))).toEqual({
    ok: false,
    error: "The command ended with exit code 3: first\nwhy",
  });
  expect(lines).toEqual(["first", "why"]);
  expect(await run(command("", { run: ["/nowhere/program"] }))).toMatchObject({
    ok: false,
    error: expect.stringContaining("could not be started"),
  });
  expect(await run(command("", { cwd: "/nowhere" }))).toMatchObject({ ok: false });
  expect(await run(command("console.log('no')", { output: "json" }))).toMatchObject({
    error: expect.stringContaining("did not say JSON"),
  });
});

test("output is cut at its bound, and JSON that is cut is a failure", async () => {
  const flood = `process.stdout.write("x".repeat(${OUTPUT_BYTES_MAX} * 3))`;
  const { value } = (await run(command(flood))) as { value: string };
  expect(value.slice(-60)).toMatch(/x\n\[cut: it said more than 131072 bytes\]$/);
  expect(value.length).toBeLessThan(OUTPUT_BYTES_MAX + 100);
  expect(await run(command(flood, { output: "json" }))).toMatchObject({ ok: false });
});

test("JSON that no message may hold is a failure, however deep it is", async () => {
  const nested = (levels: number) => `console.log("[".repeat(${levels}) + "]".repeat(${levels}))`;
  const says = (script: string) => run(command(script, { output: "json" }));
  expect(await says(nested(100))).toMatchObject({ ok: true });
  const refused = { ok: false, error: expect.stringContaining("no message may hold") };
  expect(await says(nested(101))).toEqual(refused);
  expect(await says(nested(60_000))).toEqual(refused);
  expect(await says(`console.log('[{"__proto__":1}]')`)).toEqual(refused);
  expect(await says(`console.log('{"constructor":{"prototype":1}}')`)).toEqual(refused);
});

test("what it has started ends with it: at the time-out, when it is cancelled, and when it ends itself", async () => {
  const sleeper = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" }).pid`;
  const stays = `console.error(${sleeper}); setInterval(() => {}, 1e6);`;
  const started = async (ended: Promise<unknown>, then: () => void) => {
    const before = lines.length;
    await expect.poll(() => lines.length, WAIT).toBeGreaterThan(before);
    then();
    const outcome = await ended;
    const pid = Number(lines.at(-1));
    await expect.poll(() => isAlive(pid), WAIT).toBe(false);
    return outcome;
  };
  const cancel = new AbortController();
  expect(await started(run(command(stays), { signal: cancel.signal }), () => cancel.abort())).toEqual({
    ok: false,
    error: "The command was cancelled.",
  });
  expect(await started(run(command(stays), { timeoutMs: 1_000 }), () => undefined)).toEqual({
    ok: false,
    error: "The command did not end within 1000 ms.",
  });
  const leaves = `console.error(${sleeper}); process.exit(0)`;
  expect(await started(run(command(leaves)), () => undefined)).toEqual({ ok: true, value: "" });
});

test("what runs ends with the process that runs it, also where that exits in the midst of it", async () => {
  const offered = JSON.stringify({ ...command(""), run: ["sh", "-c", "echo $$ >&2; sleep 60"] });
  const script = `
    const { runProgram } = await import(${JSON.stringify(new URL("run-program.ts", import.meta.url).href)});
    const onLine = (pid) => process.stdout.write(pid, () => process.exit(1));
    await runProgram(${offered}, { arguments: {}, timeoutMs: 60_000, signal: new AbortController().signal, env: process.env, onLine });`;
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, ["--input-type=module", "-e", script], (_error, said) => resolve(said));
  const pid = Number(await promise);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid), WAIT).toBe(false);
});

/** A process that has ended and that nobody has collected yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

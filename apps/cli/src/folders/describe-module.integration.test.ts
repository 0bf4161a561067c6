import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openDescriber } from "./describe-module.ts";
import { startDescribeProcess } from "./describe-process.ts";

const describer = openDescriber();
afterAll(() => describer.close());

test("a module that is loaded reaches no process and makes no code", async () => {
  const script = `var tried = [typeof process, typeof require, typeof globalThis.process];
for (const attempt of [
  () => URL.constructor("return process")().pid,
  () => Object.getPrototypeOf(URL).constructor("return process.env")(),
  () => structuredClone.constructor("return 1")(),
  () => (0, eval)("1"),
]) {
  try { tried.push(String(attempt())); } catch (error) { tried.push(error.name); }
}
var bulkhead = { module: { spy: { description: tried.join(" "), execute() {} } } };`;
  expect(await describer.describe(script)).toMatchObject({
    outcome: "described",
    exports: [{ settings: { description: `undefined undefined undefined${" EvalError".repeat(4)}` } }],
  });
});

test("a module that says nothing of what it exports is told as one that threw", async () => {
  const wide = `var bulkhead = { module: new Proxy({}, { ownKeys: () => { throw new Error("no keys"); } }) };`;
  expect(await describer.describe(wide)).toMatchObject({ outcome: "threw", message: "no keys" });
  expect(await describer.describe(`throw { toString: null };`)).toMatchObject({ outcome: "threw" });
});

test("each module has a process of its own, also one that waited: what a module leaves there no other finds", async () => {
  const leaves = `var seen = [typeof globalThis.left, typeof FormData]; globalThis.left = 1; FormData = 1;
Object.prototype.left = 1;
var bulkhead = { module: { spy: { description: [...seen, typeof FormData].join(" "), execute() {} } } };`;
  for (const _ of ["first", "second"]) {
    describer.warm();
    expect(await describer.describe(leaves)).toMatchObject({
      exports: [{ settings: { description: "undefined function number" } }],
    });
  }
});

test("a process that ended while it waited is replaced", async () => {
  const ended = startDescribeProcess({ program: "throw 1;", describer: "" });
  await expect.poll(() => ended.hasEnded, { timeout: 30_000 }).toBe(true);
  const start = vi.fn(startDescribeProcess).mockReturnValueOnce(ended);
  const replacing = openDescriber(start);
  replacing.warm();
  const answer = await replacing.describe("var bulkhead = { module: {} };");
  expect([answer, start.mock.calls.length]).toEqual([{ outcome: "described", exports: [] }, 2]);
});

test("one process waits however often it is asked for, and none when the describer is closed", async () => {
  const start = vi.fn(startDescribeProcess);
  const closing = openDescriber(start);
  closing.warm();
  closing.warm();
  await closing.close();
  expect(start.mock.results.map(({ value }) => value.hasEnded)).toEqual([true]);
});

test("a process that waits ends with the one that started it", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "describe-child.ts")], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(`""\n`);
  expect(await once(child, "close")).toEqual([0, null]);
});

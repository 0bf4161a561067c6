import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 3, blankTarget: 2 });
});
afterAll(() => pool.close());

const SMALL = { memoryMib: 32, cpuMs: 20_000, wallMs: 60_000 };
const run = (code: string) => runQuietly(pool, toolRun(code, {}, SMALL));

describe("the memory limit ends a tool that V8 refuses", () => {
  it.each([
    ["buffers", "const a = []; for (;;) a.push(new ArrayBuffer(1e6))"],
    ["typed arrays", "const a = []; for (;;) a.push(new Float64Array(1e5))"],
    ["one huge typed array", "return new Uint8Array(2 ** 40).length"],
    ["copies made by a method", "const a = [], b = new Uint8Array(1e6); for (;;) a.push(b.map((x) => x))"],
    [
      "copies made by the runtime",
      "const a = [], b = new Uint8Array(1e6); for (;;) a.push(structuredClone(b))",
    ],
    [
      "growth of a buffer",
      "const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 28 }); b.resize(2 ** 24); a.push(b) }",
    ],
    ["buffers, with no frames to its errors", "Error.stackTraceLimit = 0; new ArrayBuffer(2 ** 40)"],
    [
      "buffers, in a function's own catch",
      "try { new ArrayBuffer(2 ** 40) } catch (e) { e.message = ''; throw e }",
    ],
  ])("%s", async (_, code) => {
    const verdict = await run(code);
    expect(verdict).toMatchObject({ outcome: "memory", endedBy: "isolate" });
    expect("message" in verdict && verdict.message).toContain("32 MiB of memory (limits.memoryMib)");
  });

  it("says where, and what it had used", async () => {
    const verdict = await run("const a = [];\nfor (;;) a.push(new ArrayBuffer(1e6));");
    expect(verdict).toMatchObject({ message: expect.stringContaining("(tool.js:2:17)") });
    expect(verdict.usage.memoryPeakMib).toBeGreaterThan(32);
  });
});

describe("the tool's own error stays its own", () => {
  it.each([
    ["one with the same words", "throw new RangeError('Array buffer allocation failed')"],
    ["one with the same words and no name", "throw new Error('Array buffer allocation failed')"],
    ["a length that no buffer has", "return new ArrayBuffer(-1)"],
    ["an array's length", "return new Array(-1)"],
    ["a length beyond every limit", "return new ArrayBuffer(2 ** 53)"],
  ])("%s", async (_, code) => {
    expect(await run(code)).toMatchObject({ outcome: "threw", endedBy: "guest" });
  });

  it("and one that it catches ends nothing", async () => {
    const code =
      "const a = []; try { for (;;) a.push(new ArrayBuffer(1e6)) } catch { a.length = 0 } return 'on'";
    expect(await run(code)).toMatchObject({ outcome: "returned", json: '"on"' });
  });
});

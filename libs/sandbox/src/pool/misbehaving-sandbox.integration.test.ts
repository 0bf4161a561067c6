import { fileURLToPath } from "node:url";
import { everyNth, isNightly, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxProgram } from "./program.ts";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { ANY_PACE, Heard, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
const ROUNDS = isNightly ? 3 : 1;
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const READABLE = ["../../*", "../../../../node_modules/@bulkhead/*"].map(pathOf);
const programAt = (path: string): SandboxProgram => ({ entry: pathOf(path), readable: READABLE });

let pool: SandboxPool;
beforeAll(() => {
  const program = programAt("testing/misbehaving-program.ts");
  pool = openSandboxPool({ program, processesMax: 3, blankTarget: 2, graceMs: 100, ...ANY_PACE });
});
afterAll(() => pool.close());

/** For what never ends; whatever says something in time gets the time that it needs on a busy machine. */
const SHORT = { cpuMs: 20_000, wallMs: 200 };

/** Every fourth by day: the worker ends them all at the same place, by what it reads or by what it no longer can. */
const MISBEHAVIOURS = everyNth<[misbehaviour: string, message: RegExp]>(
  [
    ["exits 0", /with code 0/],
    ["exits 1", /with code 1/],
    ["is killed", /by SIGKILL/],
    ["aborts", /by SIG/],
    ["closes the connection", /before the tool did/],
    ["sends garbage", /not JSON/],
    ["sends bytes that are no text", /not UTF-8/],
    ["announces a huge frame", /4294967295 bytes/],
    ["sends an unknown message", /breaks the wire/],
    ["greets again", /greeted twice/],
    ["answers twice", /after its verdict/],
    ["answers for another execution", /another execution/],
    ["logs after its answer", /after its verdict/],
    ["returns what is not JSON", /not JSON/],
    ["returns much that is not JSON", /not JSON/],
    ["returns much that nests too deep", /nests too deep/],
    ["returns more than it may", /over the limit/],
    ["floods the log", /log limit/],
    ["floods standard error", /floods/],
  ],
  4,
);

describe("a sandbox process that", () => {
  it.each(MISBEHAVIOURS)("%s is ended, and its run has crashed", async (misbehaviour, message) => {
    const verdict = await runQuietly(pool, toolRun(misbehaviour));
    expect(verdict).toMatchObject({ outcome: "crashed", message: expect.stringMatching(message) });
  });

  it("comes after all of them serves the same tenant", async () => {
    expect(await runQuietly(pool, toolRun("behaves"))).toMatchObject({ outcome: "returned" });
  });

  it.each(["never answers", "spins on its main thread"])(
    "%s is ended by the worker's own clock",
    async (code) => {
      expect(await runQuietly(pool, toolRun(code, {}, SHORT))).toMatchObject({ outcome: "wall" });
    },
  );

  it("spins is ended by the worker's own account of its processor time", async () => {
    const run = toolRun("spins on its main thread", {}, { cpuMs: 100, wallMs: 60_000 });
    expect(await runQuietly(pool, run)).toMatchObject({ outcome: "cpu" });
  });

  it("answers and then dies has answered", async () => {
    expect(await runQuietly(pool, toolRun("answers, then dies"))).toMatchObject({
      outcome: "returned",
      json: "1",
    });
  });

  it("dies right after an answer takes no run along that is tried again once nothing was heard of it", async () => {
    const tried = async (code: string) => {
      const verdict = await runQuietly(pool, toolRun(code));
      return verdict.unheard ? runQuietly(pool, toolRun(code, { alone: true })) : verdict;
    };
    for (let i = 0; i < ROUNDS; i++) {
      expect(await tried("answers, then dies")).toMatchObject({ outcome: "returned" });
      expect(await tried("behaves")).toMatchObject({ outcome: "returned" });
    }
  });

  it("dies before it said anything is told as that where it had run others, and in no process of its own", async () => {
    await runQuietly(pool, toolRun("behaves"));
    expect(await runQuietly(pool, toolRun("exits 1"))).toMatchObject({
      outcome: "crashed",
      process: "used",
      unheard: true,
    });
    const alone = await runQuietly(pool, toolRun("exits 1", { alone: true }));
    expect(alone).toMatchObject({ outcome: "crashed", process: "own" });
    expect(alone).not.toHaveProperty("unheard");
  });

  it("dies after it said something is left to the caller, who knows what was said", async () => {
    await runQuietly(pool, toolRun("behaves"));
    const verdict = await runQuietly(pool, toolRun("floods the log"));
    expect(verdict).toMatchObject({ outcome: "crashed", process: "used" });
    expect(verdict).not.toHaveProperty("unheard");
  });

  it("is ended when the run is stopped, whatever it does", async () => {
    const stop = new AbortController();
    const ended = pool.run(
      toolRun("spins on its main thread", {}, { cpuMs: 20_000, wallMs: 60_000 }),
      new Heard(),
      stop.signal,
    );
    stop.abort();
    expect(await ended).toMatchObject({ outcome: "aborted" });
  });
});

describe("a pool whose program", () => {
  const BROKEN = [
    ["does not exist", "testing/no-such-program.ts"],
    ["speaks another version of the wire", "testing/wrong-version-program.ts"],
  ] as const;
  it.each(everyNth(BROKEN, 2))("%s tells those who wait instead of starting it for ever", async (_, path) => {
    const broken = openSandboxPool({ program: programAt(path), processesMax: 2, blankTarget: 1 });
    try {
      expect(await runQuietly(broken, toolRun("behaves"))).toMatchObject({ outcome: "unavailable" });
      expect(broken.stats().started).toBeLessThan(8);
    } finally {
      await broken.close();
    }
  });
});

import { fileURLToPath } from "node:url";
import type { SandboxVerdict } from "@bulkhead/domain";
import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox-pool";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { areDead, ProcessWatch } from "./support/process-watch.ts";
import { Listener, NEVER, toolRun } from "./support/tool-run.ts";

/** What a worker may grow by for a sandbox that floods it. */
const WORKER_GROWTH_MIB_MAX = 96;
const KILL_MS_MAX = 250;
/**
 * How often an attack is tried whose end is late, or that made the worker grow: a pause of the machine, or garbage that waits
 * for its collector, does not come back; a fault of the product does.
 */
const TRIES_MAX = 3;
const WALL_MS = 1_000;
const MIB = 2 ** 20;
const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What an attack cost this process, which stands for the worker. `deathMs` is 0 where it ended by itself. */
interface Endured {
  deathMs: number;
  grownMib: number;
}
const isHarmless = ({ deathMs, grownMib }: Endured): boolean =>
  deathMs <= KILL_MS_MAX && grownMib < WORKER_GROWTH_MIB_MAX;

leakCheck();
let pool: SandboxPool;
let honest: SandboxPool;
beforeAll(() => {
  const readable = ["./support/*", "../../node_modules/@bulkhead/*", "../../libs/foundation/wire/*"].map(
    fileAt,
  );
  const program = { entry: fileAt("./support/hostile-program.ts"), readable };
  pool = openSandboxPool({ program, processesMax: 3, blankTarget: 2 });
  honest = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => Promise.all([pool.close(), honest.close()]));

/** What the sandbox process does, and how the run may end. */
const ATTACKS: [attack: string, ends: SandboxVerdict["outcome"][]][] = [
  ["sends a frame byte by byte", ["returned"]],
  ["sends half a frame and falls silent", ["wall"]],
  ["sends half a prefix and falls silent", ["wall"]],
  ["sends an empty frame", ["crashed"]],
  ["floods empty frames", ["crashed"]],
  ["floods log lines", ["crashed"]],
  ["floods empty log lines", ["crashed"]],
  ["floods progress", ["crashed"]],
  ["floods what is never a whole frame", ["crashed", "wall"]],
  ["floods requests", ["crashed"]],
  ["floods what it gives up", ["crashed", "cpu", "wall"]],
  ["floods greetings", ["crashed"]],
  ["floods a frame of the other direction", ["crashed"]],
  ["forges a frame to itself", ["crashed"]],
  ["answers for another tenant's run", ["crashed"]],
  ["answers with an id of a prototype", ["crashed"]],
  ["answers with no id", ["crashed"]],
  ["answers with a prototype in the frame", ["crashed"]],
  ["answers with fields that are not on the wire", ["crashed"]],
  ["answers with measures that are none", ["crashed"]],
  ["answers with measures that are not numbers", ["crashed"]],
  ["answers with JSON that nests too deep", ["crashed"]],
  ["sends a frame that nests too deep", ["crashed"]],
  ["stops for a reason that is none", ["crashed"]],
  ["stops with a message that is too long", ["crashed"]],
  ["stops in the name of a layer outside it", ["crashed"]],
  ["logs at a level that is none", ["crashed"]],
  ["emits what is not JSON", ["crashed"]],
  ["asks with an id that was used", ["crashed"]],
  ["asks with an id that is none", ["crashed"]],
  ["sends a second text after its frame", ["returned", "crashed"]],
  ["stops itself", ["wall"]],
  ["shuts its ear", ["wall"]],
  ["ends only its own half", ["crashed"]],
  ["floods standard error", ["crashed"]],
];

describe("a sandbox process in an attacker's hands that", () => {
  const endure = async (attack: string, ends: SandboxVerdict["outcome"][]): Promise<Endured> => {
    const tenantId = `ten_${attack}`;
    // Only what nothing else ends meets the clock, however busy the machine is.
    const limits = { cpuMs: 5_000, wallMs: ends.includes("wall") ? WALL_MS : 20_000 };
    const watching: { watch: ProcessWatch | null } = { watch: null };
    const heard = new (class extends Listener {
      override onStarted(): void {
        const mine = pool.stats().processes.find((process) => process.tenantId === tenantId);
        watching.watch = new ProcessWatch(mine?.pid ?? -1, { cpuMs: Infinity, wallMs: limits.wallMs });
      }
    })();
    const before = process.memoryUsage.rss();
    const verdict = await pool.run(toolRun({ code: attack, tenantId, network: true, limits }), heard, NEVER);
    const { watch } = watching;
    try {
      expect(ends, JSON.stringify(verdict).slice(0, 500)).toContain(verdict.outcome);
      if (verdict.outcome !== "returned") await until(() => watch?.deadAt, { what: "it is dead" });
      const grownMib = (process.memoryUsage.rss() - before) / MIB;
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      expect(await pool.run(toolRun({ code: "behaves", tenantId }), new Listener(), NEVER)).toMatchObject({
        outcome: "returned",
        json: "1",
      });
      const beside = toolRun({ code: "return args.n", argumentsJson: '{"n":7}', tenantId: "ten_canary" });
      expect(await honest.run(beside, new Listener(), NEVER)).toMatchObject({
        outcome: "returned",
        json: "7",
      });
      return { deathMs: verdict.outcome === "wall" ? (watch?.deathMs ?? Infinity) : 0, grownMib };
    } finally {
      watch?.stop();
    }
  };
  it.each(ATTACKS)("%s is judged, ended in time and does no harm", async (attack, ends) => {
    let endured = await endure(attack, ends);
    for (let tries = 1; !isHarmless(endured) && tries < TRIES_MAX; tries += 1)
      endured = await endure(attack, ends);
    expect(endured.deathMs, "ms to death").toBeLessThanOrEqual(KILL_MS_MAX);
    expect(endured.grownMib, "MiB that the worker grew by").toBeLessThan(WORKER_GROWTH_MIB_MAX);
  });

  it("speaks between its runs is not asked again, and the next run is another's", async () => {
    const tenantId = "ten_between";
    await pool.run(toolRun({ code: "speaks before it is asked", tenantId }), new Listener(), NEVER);
    const speaker = pool.stats().processes.find((process) => process.tenantId === tenantId)?.pid ?? -1;
    await until(() => areDead([speaker]), { what: "the process that spoke is dead" });
    expect(await pool.run(toolRun({ code: "behaves", tenantId }), new Listener(), NEVER)).toMatchObject({
      outcome: "returned",
    });
  });

  it("asks for an effect that is none gets none", async () => {
    const heard = new Listener();
    const attack = "asks for an effect that is none";
    const verdict = await pool.run(toolRun({ code: attack, limits: { wallMs: 400 } }), heard, NEVER);
    expect(["crashed", "wall"]).toContain(verdict.outcome);
    expect(heard.effects).toBe(0);
  });
});

import { fileURLToPath } from "node:url";
import type { SandboxVerdict } from "@bulkhead/core";
import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox";
import { everyNth, leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { areDead } from "./support/process-watch.ts";
import { Slots } from "./support/slots.ts";
import { Listener, NEVER, runHeard, toolRun } from "./support/tool-run.ts";

/** Attacks that run side by side, each by a tenant of its own. */
const SLOTS = 3;
/** What a worker may grow by during an attack: far more than the garbage of the tests, far less than a flood. */
const WORKER_GROWTH_MIB_MAX = 384;
/** The attacks end their processes by design: the pool gives new ones at any pace. */
const ANY_PACE = { burst: 10_000, perSecond: 10_000 };
const MIB = 2 ** 20;
const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

leakCheck();
let pool: SandboxPool;
let honest: SandboxPool;
const slots = new Slots(SLOTS);
const tenantOf = (slot: number): string => `ten_slot_${slot}`;
beforeAll(async () => {
  const readable = ["./support/*", "../../node_modules/@bulkhead/*", "../../libs/sandbox/*"].map(fileAt);
  const program = { entry: fileAt("./support/hostile-program.ts"), readable };
  // Two pools of one process name their memory groups alike: this one has its only process before the other starts any.
  honest = openSandboxPool({ processesMax: 1, blankTarget: 0 });
  await honest.run(toolRun({ code: "return 1", tenantId: "ten_canary" }), new Listener(), NEVER);
  pool = openSandboxPool({ program, processesMax: SLOTS + 2, blankTarget: 2, lossPace: ANY_PACE });
});
afterAll(() => Promise.all([pool.close(), honest.close()]));

/** What the sandbox process does, and how the run may end. */
type Attack = [attack: string, ends: SandboxVerdict["outcome"][]];

const STREAMS: Attack[] = [
  ["sends a frame byte by byte", ["returned"]],
  ["sends half a frame and falls silent", ["wall"]],
  ["sends half a prefix and falls silent", ["wall"]],
  ["sends an empty frame", ["crashed"]],
];

const FLOODS: Attack[] = [
  ["floods empty frames", ["crashed"]],
  ["floods log lines", ["crashed"]],
  ["floods empty log lines", ["crashed"]],
  ["floods progress", ["crashed"]],
  ["floods what is never a whole frame", ["crashed", "wall"]],
  ["floods requests", ["crashed"]],
  ["floods what it gives up", ["crashed", "cpu", "wall"]],
  ["floods greetings", ["crashed"]],
  ["floods a frame of the other direction", ["crashed"]],
];

const FORGERIES: Attack[] = [
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
];

const ENDINGS: Attack[] = [
  ["sends a second text after its frame", ["returned", "crashed"]],
  ["stops itself", ["wall"]],
  ["shuts its ear", ["wall"]],
  ["ends only its own half", ["crashed"]],
  ["floods standard error", ["crashed"]],
];

/** Every sixth flood and forgery by day: they end at the same check as their neighbours. All of them at night. */
const ATTACKS = [...STREAMS, ...everyNth(FLOODS, 6), ...everyNth(FORGERIES, 6), ...ENDINGS];

/** Only what nothing else ends meets a limit of time, however busy the machine is. */
const limitsOf = (ends: SandboxVerdict["outcome"][]) => ({
  cpuMs: ends.includes("cpu") ? 500 : 20_000,
  wallMs: ends.includes("wall") ? 300 : 60_000,
});

async function endure(attack: string, ends: SandboxVerdict["outcome"][], tenantId: string): Promise<void> {
  let pids: number[] = [];
  const heard = new (class extends Listener {
    override onStarted(): void {
      pids = pool.stats().processes.flatMap((each) => (each.tenantId === tenantId ? [each.pid] : []));
    }
  })();
  const before = process.memoryUsage.rss();
  const run = toolRun({ code: attack, tenantId, network: true, limits: limitsOf(ends) });
  const verdict = await runHeard(pool, run, heard);
  expect(ends, JSON.stringify(verdict).slice(0, 500)).toContain(verdict.outcome);
  expect(pids).not.toEqual([]);
  if (verdict.outcome !== "returned") await until(() => areDead(pids), { what: "it is dead" });
  const grownMib = (process.memoryUsage.rss() - before) / MIB;
  expect(grownMib, "MiB that the worker grew by").toBeLessThan(WORKER_GROWTH_MIB_MAX);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  const beside = toolRun({ code: "return args.n", argumentsJson: '{"n":7}', tenantId: "ten_canary" });
  expect(await honest.run(beside, new Listener(), NEVER)).toMatchObject({ outcome: "returned", json: "7" });
}

describe("a sandbox process in an attacker's hands that", () => {
  it.concurrent.each(ATTACKS)("[B4] %s is judged, ended and does no harm", async (attack, ends) => {
    const slot = await slots.take();
    try {
      // That the next attack of the slot has a verdict of its own shows that the tenant is served after this one.
      await endure(attack, ends, tenantOf(slot));
    } finally {
      slots.give(slot);
    }
  });
});

describe("afterwards a sandbox process that", () => {
  it.each(Array.from({ length: SLOTS }, (_, slot) => tenantOf(slot)))(
    "behaves serves %s",
    async (tenantId) => {
      expect(await runHeard(pool, toolRun({ code: "behaves", tenantId }))).toMatchObject({
        outcome: "returned",
        json: "1",
      });
    },
  );

  it("speaks between its runs is not asked again, and the next run is another's", async () => {
    const tenantId = "ten_between";
    await pool.run(toolRun({ code: "speaks before it is asked", tenantId }), new Listener(), NEVER);
    const speaker = pool.stats().processes.find((process) => process.tenantId === tenantId)?.pid ?? -1;
    await until(() => areDead([speaker]), { what: "the process that spoke is dead" });
    expect(await runHeard(pool, toolRun({ code: "behaves", tenantId }))).toMatchObject({
      outcome: "returned",
    });
  });

  it("asks for an effect that is none gets none", async () => {
    const heard = new Listener();
    const attack = "asks for an effect that is none";
    const verdict = await runHeard(pool, toolRun({ code: attack, limits: limitsOf(["wall"]) }), heard);
    expect(["crashed", "wall"]).toContain(verdict.outcome);
    expect(heard.effects).toBe(0);
  });
});

import type {
  CapabilityCaller,
  CapabilityRun,
  Execution,
  ExecutionKey,
  JsonObject,
  NewSchedule,
  ScheduleBounds,
  ScheduleOwner,
  Tool,
} from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { heldAttempt } from "../../fixtures/held-attempt.ts";
import { ScheduleWorld } from "../fixtures/schedule-world.ts";
import { openToolSchedules, type ToolScheduleDeps } from "./capability.ts";

const TICK = { id: "tool_0000000000000001", name: "tick", status: "active", version: 1 } as Tool;
let world: ScheduleWorld;
let execution: Partial<Execution> | null;
let owners: ScheduleOwner[];
let run: CapabilityRun;
let reached: keyof ScheduleBounds | null;

beforeEach(() => {
  world = new ScheduleWorld();
  execution = { parentId: null, source: "rest", requestedBy: "key_0000000000000001" };
  owners = [];
  reached = null;
  run = {
    ...heldAttempt(),
    toolId: "tool_0000000000000009",
    byAgent: true,
    context: { callId: "c", chatId: "d" },
  };
});

/** Asks as a run of the tool `planner`, which another one called. */
async function ask(operation: string, args: JsonObject = {}) {
  const listOwned = async (owner: ScheduleOwner, id?: string) => {
    owners.push(owner);
    return [...world.schedules.values()].filter(({ scheduleId }) => id === undefined || scheduleId === id);
  };
  const create = async (made: NewSchedule) => reached ?? world.add(made);
  const deps = {
    ...world.deps,
    schedules: { ...world.deps.schedules, listOwned, create },
    executions: {
      find: async ({ executionId }: ExecutionKey) =>
        executionId === "exe_1" ? { parentId: "exe_0", source: "tool", requestedBy: "key_1" } : execution,
    },
    findTool: async () => ({ ...TICK, requiresApproval: false, approval: "preApproved" }),
    schemas: { checkArguments: async () => [] },
    audit: { record: async () => undefined },
  } as unknown as ToolScheduleDeps;
  const family = openToolSchedules(deps);
  const caller = { ...run, executionId: "exe_1", toolName: "planner", agentId: null, userId: null };
  const request = { operation, arguments: args, content: null };
  const asker = { ...caller, services: [], way: null, run } as CapabilityCaller;
  return family.run(request, asker, new AbortController().signal);
}
const CREATE = { tool: "tick", everyMs: 60_000 };

test("what it makes has the context of the run's call but for its id, and belongs to the stored tool by its id", async () => {
  expect(await ask("create", CREATE)).toMatchObject({ ok: true, value: { tool: "tick", everyMs: 60_000 } });
  const [made] = world.schedules.values();
  expect(made).toMatchObject({ context: { chatId: "d" }, madeByTool: run.toolId, overlap: "skip" });
  // Nobody said how long: as long as its tool may run.
  expect(made?.timeoutMs).toBe(90_000);
  expect(made?.context).not.toHaveProperty("callId");
  await ask("list");
  expect(owners).toMatchObject([{ madeByTool: run.toolId, agentId: null, userId: null }]);
});

test.each([
  ["a dry run", () => (execution = { ...execution, source: "dry_run" })],
  ["a run of a script", () => (run = { ...run, toolId: null })],
  ["a call by an access token", () => (execution = { ...execution, accessTokenId: "at_1" })],
  ["a run whose execution is gone", () => (execution = null)],
])("%s makes none", async (_, change) => {
  change();
  await expect(ask("create", CREATE)).rejects.toMatchObject({ code: "auth.forbidden", status: 403 });
  expect(world.schedules.size).toBe(0);
});

test.each([
  ["ofOwner", "A tool may have 50 schedules for one agent and user; remove one that is not needed any more."],
  ["ofTenant", "A tenant may have 1000 schedules; delete one that is not needed any more."],
] as const)("it is told of the bound %s that is reached", async (bound, detail) => {
  reached = bound;
  await expect(ask("create", CREATE)).rejects.toMatchObject({ code: "schedule.too_many", detail });
});

test("a run whose key is gone makes none", async () => {
  world.key = null;
  await expect(ask("create", CREATE)).rejects.toMatchObject({ code: "schedule.key_gone" });
});

test("large arguments are told by their size", async () => {
  world.add({ arguments: { text: "a".repeat(3_000) } });
  const answer = await ask("list");
  const [told] = (answer.ok ? answer.value["schedules"] : []) as JsonObject[];
  expect(told).toMatchObject({ argumentsBytes: 3_011 });
  expect(told).not.toHaveProperty("arguments");
});

test("only what the schedule's own key asks changes or resumes it", async () => {
  const { scheduleId: id } = world.add({ createdBy: "key_0000000000000002", status: "paused" });
  for (const [operation, more] of [
    ["update", { name: "a" }],
    ["resume", {}],
  ] as const)
    await expect(ask(operation, { id, ...more })).rejects.toMatchObject({ code: "auth.forbidden" });
});

test.each(["create", "list", "update", "remove", "pause", "resume"])(
  "%s takes nothing that it does not know",
  async (operation) => {
    const answer = await ask(operation, {
      ...(operation === "list" ? {} : { id: "sch_1" }),
      ...CREATE,
      context: {},
    });
    expect(answer).toMatchObject({ ok: false, code: "invalid_request" });
  },
);

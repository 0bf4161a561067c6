import type { TenantPrincipal, Tool } from "@bulkhead/core";
import { expect, test } from "vitest";
import { resumeSchedule, updateSchedule } from "./change-schedule.ts";
import { ScheduleWorld } from "./fixtures/schedule-world.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";

const OWNER = {
  keyId: "key_0000000000000001",
  tenantId: "ten_0000000000000001",
  role: "owner",
  agentId: null,
} as unknown as TenantPrincipal;
const PAUSED = { status: "paused" as const, statusReason: "Its tool was deleted.", nextRuns: [] };

const depsOf = (world: ScheduleWorld): ScheduleDeps =>
  ({
    ...world.deps,
    schemas: { checkArguments: async () => [] },
    audit: { record: async () => undefined },
  }) as unknown as ScheduleDeps;

test("a schedule whose tool was deleted has no reason left when it is given another tool, and waits to be resumed", async () => {
  const world = new ScheduleWorld();
  const { scheduleId } = world.add(PAUSED);
  world.tool = { id: "tool_0000000000000002", name: "tock", status: "active", version: 1 } as Tool;
  const changed = await updateSchedule(depsOf(world), OWNER, scheduleId, { tool: "tock" });
  expect(changed).toMatchObject({ toolName: "tock", status: "paused", statusReason: null });
  const resumed = await resumeSchedule(depsOf(world), OWNER, scheduleId);
  expect(resumed).toMatchObject({ status: "active", statusReason: null });
});

test("a change of anything else leaves the reason", async () => {
  const world = new ScheduleWorld();
  const { scheduleId } = world.add(PAUSED);
  world.tool = null;
  const changed = await updateSchedule(depsOf(world), OWNER, scheduleId, { priority: 9, everyMs: 60_000 });
  expect(changed).toMatchObject({ priority: 9, statusReason: "Its tool was deleted." });
  const unknown = updateSchedule(depsOf(world), OWNER, scheduleId, { arguments: { n: 1 } });
  await expect(unknown).rejects.toMatchObject({ code: "tool.not_found" });
});

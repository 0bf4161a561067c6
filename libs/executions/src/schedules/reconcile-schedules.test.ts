import { type Schedule, Fault } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { ScheduleWorld } from "./fixtures/schedule-world.ts";
import { reconcileSchedules } from "./reconcile-schedules.ts";

const HOUR = 3_600_000;
let world: ScheduleWorld;
beforeEach(() => {
  world = new ScheduleWorld();
});

const reconcile = () => reconcileSchedules(world.deps);
const NOTHING = { fired: 0, set: 0, removed: 0 };
const triggered = (fields: Partial<Schedule> = {}): Schedule => {
  const schedule = world.add(fields);
  if (schedule.nextRuns[0]) world.triggers.set(schedule.scheduleId, schedule.nextRuns[0]);
  return schedule;
};

test("emptied triggers are all there again after one turn, over many pages", async () => {
  for (let n = 0; n < 1_200; n += 1) triggered();
  expect(await reconcile()).toEqual(NOTHING);
  world.triggers.clear();
  expect(await reconcile()).toEqual({ ...NOTHING, set: 1_200 });
  expect(await reconcile()).toEqual(NOTHING);
});

test("a trigger at another time than the plan's is put right, one around its moment is left alone", async () => {
  const schedule = triggered();
  world.triggers.set(schedule.scheduleId, world.later(2 * HOUR));
  expect(await reconcile()).toEqual({ ...NOTHING, set: 1 });
  world.now = world.later(HOUR - 1_000);
  world.triggers.set(schedule.scheduleId, world.later(HOUR + 1_000));
  expect(await reconcile()).toEqual(NOTHING);
});

test("triggers of what is paused or gone are removed", async () => {
  triggered();
  const paused = world.add({ status: "paused", nextRuns: [] });
  world.triggers.set(paused.scheduleId, world.later(HOUR));
  world.triggers.set("sch_gone", world.later(HOUR));
  expect(await reconcile()).toEqual({ ...NOTHING, removed: 2 });
  expect(world.triggers.size).toBe(1);
});

test("a run whose trigger never came is fired, once, and its schedule triggered anew", async () => {
  const schedule = triggered();
  world.now = world.later(HOUR + 10_000);
  expect(await reconcile()).toEqual({ ...NOTHING, fired: 1, set: 1 });
  expect(world.accepted.size).toBe(1);
  expect(world.read(schedule).nextRuns[0]).toEqual(world.triggers.get(schedule.scheduleId));
  expect(await reconcile()).toEqual(NOTHING);
});

test("what fails is reported and keeps nobody else from being seen to", async () => {
  const [first, second] = [triggered(), triggered()];
  world.now = world.later(HOUR + 10_000);
  const submit = world.deps.submitScheduled;
  world.deps.submitScheduled = async (principal, tool, call) => {
    if (call.scheduleId === first.scheduleId) throw new Fault("service.unavailable");
    return submit(principal, tool, call);
  };
  expect(await reconcile()).toMatchObject({ fired: 1 });
  expect(world.reported).toHaveLength(1);
  expect(world.read(second).lastExecutionId).not.toBeNull();
  expect(world.read(first).lastExecutionId).toBeNull();
});
